package dev.caldera.graph;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Decodes little-endian elements, a piece at a time, so that large constants need no second copy.
 */
final class HostTensorReader {

  private static final int PIECE_BYTES = 1 << 16;

  private final DType dtype;
  private final TensorData data;

  HostTensorReader(DType dtype, TensorData data) {
    this.dtype = dtype;
    this.data = data;
  }

  HostTensor read(int size, long[] dims) {
    float[] floats = new float[dtype.isFloat() ? size : 0];
    long[] longs = new long[dtype.isFloat() ? 0 : size];
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int next = 0;
    while (next < size) {
      int count = Math.min(size - next, PIECE_BYTES / dtype.bytes());
      piece.clear().limit(count * dtype.bytes());
      data.read((long) next * dtype.bytes(), piece);
      piece.flip();
      for (int i = next; i < next + count; i++) {
        if (dtype.isFloat()) {
          floats[i] = nextFloat(piece);
        } else {
          longs[i] = nextLong(piece);
        }
      }
      next += count;
    }
    return HostTensor.ofParts(dtype, dims, floats, longs);
  }

  private float nextFloat(ByteBuffer piece) {
    return switch (dtype) {
      case F32 -> piece.getFloat();
      case F16 -> HalfFloats.fromF16(piece.getShort());
      case BF16 -> HalfFloats.fromBf16(piece.getShort());
      default -> throw new IllegalStateException("Not a float type: " + dtype);
    };
  }

  private long nextLong(ByteBuffer piece) {
    return switch (dtype) {
      case I64 -> piece.getLong();
      case I32 -> piece.getInt();
      case I8 -> piece.get();
      case U8 -> piece.get() & 0xff;
      case BOOL -> piece.get() == 0 ? 0 : 1;
      default -> throw new IllegalStateException("Not an integer type: " + dtype);
    };
  }
}
