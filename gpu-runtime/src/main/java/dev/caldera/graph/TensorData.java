package dev.caldera.graph;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The elements of a constant, row-major and little-endian, wherever they lie: in memory, or in a
 * mapped file ({@link MappedFile}) that may be larger than 2 GiB.
 *
 * <p>Reading is thread-safe. Every range is checked before it is touched.
 */
public interface TensorData {

  /** The number of bytes. */
  long byteSize();

  /**
   * Copies bytes {@code [offset, offset + target.remaining())} into {@code target} and advances it.
   *
   * @throws IndexOutOfBoundsException if the range does not lie within {@link #byteSize()}
   */
  void read(long offset, ByteBuffer target);

  /** The remaining bytes of {@code buffer}, which the caller no longer changes. */
  static TensorData of(ByteBuffer buffer) {
    return new BufferData(buffer.slice());
  }

  /** A copy of {@code values} as F32 elements. */
  static TensorData of(float... values) {
    ByteBuffer buffer =
        ByteBuffer.allocate(Math.multiplyExact(values.length, 4)).order(ByteOrder.LITTLE_ENDIAN);
    buffer.asFloatBuffer().put(values);
    return new BufferData(buffer);
  }

  /** A copy of {@code values} as I32 elements. */
  static TensorData of(int... values) {
    ByteBuffer buffer =
        ByteBuffer.allocate(Math.multiplyExact(values.length, 4)).order(ByteOrder.LITTLE_ENDIAN);
    buffer.asIntBuffer().put(values);
    return new BufferData(buffer);
  }

  /** A copy of {@code values} as I64 elements. */
  static TensorData of(long... values) {
    ByteBuffer buffer =
        ByteBuffer.allocate(Math.multiplyExact(values.length, 8)).order(ByteOrder.LITTLE_ENDIAN);
    buffer.asLongBuffer().put(values);
    return new BufferData(buffer);
  }
}
