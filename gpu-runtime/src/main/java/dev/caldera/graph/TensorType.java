package dev.caldera.graph;

import java.util.Map;

/** The element type and shape of a value. */
public record TensorType(DType dtype, Shape shape) {

  /** Bytes of the tensor in row-major order under {@code bindings}. */
  public long bytes(Map<String, Long> bindings) {
    return Math.multiplyExact(shape.elements().evaluate(bindings), (long) dtype.bytes());
  }

  /** The same shape with another element type. */
  public TensorType withDType(DType other) {
    return new TensorType(other, shape);
  }

  @Override
  public String toString() {
    return dtype.name().toLowerCase(java.util.Locale.ROOT) + shape;
  }
}
