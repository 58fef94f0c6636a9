package dev.caldera.memory;

import java.util.Objects;

/**
 * A range of a device buffer.
 *
 * @param buffer the allocation
 * @param offset bytes from its start
 * @param bytes length
 */
public record BufferRange(DeviceBuffer buffer, long offset, long bytes) {

  /**
   * @throws IndexOutOfBoundsException if the range does not lie in the buffer
   */
  public BufferRange {
    Objects.checkFromIndexSize(offset, bytes, buffer.bytes());
  }

  /**
   * A part of this range.
   *
   * @param start bytes from this range's start
   * @param length bytes
   * @throws IndexOutOfBoundsException if it does not lie in this range
   */
  public BufferRange part(long start, long length) {
    Objects.checkFromIndexSize(start, length, bytes);
    return new BufferRange(buffer, offset + start, length);
  }
}
