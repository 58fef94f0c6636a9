package dev.caldera.model.onnx;

import dev.caldera.graph.DType;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** TensorProto.DataType numbers and the element types they stand for. */
final class OnnxTypes {

  private static final Map<Integer, DType> SUPPORTED =
      new TreeMap<>(
          Map.of(
              1, DType.F32, 2, DType.U8, 3, DType.I8, 6, DType.I32, 7, DType.I64, 9, DType.BOOL));

  private static final Map<Integer, String> OTHERS =
      Map.ofEntries(
          Map.entry(0, "UNDEFINED"),
          Map.entry(4, "UINT16"),
          Map.entry(5, "INT16"),
          Map.entry(8, "STRING"),
          Map.entry(10, "FLOAT16"),
          Map.entry(11, "DOUBLE"),
          Map.entry(12, "UINT32"),
          Map.entry(13, "UINT64"),
          Map.entry(14, "COMPLEX64"),
          Map.entry(15, "COMPLEX128"),
          Map.entry(16, "BFLOAT16"));

  private OnnxTypes() {}

  /**
   * The element type.
   *
   * @param what what has the type, for the error
   */
  static DType dtype(long dataType, Supplier<String> what) {
    DType dtype = dataType == (int) dataType ? SUPPORTED.get((int) dataType) : null;
    if (dtype == null) {
      String name = OTHERS.getOrDefault((int) dataType, "unknown");
      throw new OnnxException(
          "Cannot import "
              + what.get()
              + ": element type "
              + dataType
              + " ("
              + name
              + ") is not supported; supported are FLOAT, INT64, INT32, INT8, UINT8 and BOOL");
    }
    return dtype;
  }
}
