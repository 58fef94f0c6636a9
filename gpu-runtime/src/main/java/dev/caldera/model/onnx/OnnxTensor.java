package dev.caldera.model.onnx;

import dev.caldera.graph.MappedFile;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A TensorProto, its elements not yet decoded: they stand in {@code raw}, in one of the typed
 * lists, or in another file.
 *
 * @param dataType a TensorProto.DataType
 * @param external keys {@code location}, {@code offset} and {@code length}; empty if the elements
 *     are in this file
 */
record OnnxTensor(
    String name,
    List<Long> dims,
    int dataType,
    Optional<MappedFile> raw,
    List<Float> decimals,
    List<Long> integers,
    boolean isExternal,
    Map<String, String> external) {

  OnnxTensor {
    dims = List.copyOf(dims);
    external = Map.copyOf(external);
  }
}
