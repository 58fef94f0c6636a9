package dev.caldera.graph;

/** The element type of a tensor, with its size in memory. */
public enum DType {
  F32(4),
  F16(2),
  BF16(2),
  I64(8),
  I32(4),
  I8(1),
  U8(1),
  BOOL(1);

  private final int bytes;

  DType(int bytes) {
    this.bytes = bytes;
  }

  /** Bytes of one element. */
  public int bytes() {
    return bytes;
  }

  /** Whether this is a floating-point type. */
  public boolean isFloat() {
    return this == F32 || this == F16 || this == BF16;
  }
}
