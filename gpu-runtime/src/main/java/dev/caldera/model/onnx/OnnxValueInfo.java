package dev.caldera.model.onnx;

import java.util.List;

/**
 * A ValueInfoProto of a graph's input or output.
 *
 * @param dataType a TensorProto.DataType
 * @param dims a number, a name, or empty text where neither is given
 * @param isTensor false for sequences, maps and optionals
 * @param hasShape whether the rank is given
 */
record OnnxValueInfo(
    String name, int dataType, List<String> dims, boolean isTensor, boolean hasShape) {

  OnnxValueInfo {
    dims = List.copyOf(dims);
  }
}
