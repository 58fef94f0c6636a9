package dev.caldera.graph;

import java.nio.ByteBuffer;

/**
 * The elements of a constant, row-major and little-endian, wherever they lie: in memory, or in a
 * mapped file that may be larger than 2 GiB.
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
}
