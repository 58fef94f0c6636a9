package dev.caldera.memory;

import java.nio.ByteBuffer;

/** A buffer lent by a {@link StagingPool}; closing gives it back. Its size is a power of two. */
public final class StagingBuffer implements AutoCloseable {
  private final StagingPool pool;
  private final DeviceBuffer buffer;
  private boolean released;

  StagingBuffer(StagingPool pool, DeviceBuffer buffer) {
    this.pool = pool;
    this.buffer = buffer;
  }

  /** The allocation, for copies. */
  public synchronized DeviceBuffer buffer() {
    if (released) {
      throw new IllegalStateException("Cannot use a staging buffer: it was given back");
    }
    return buffer;
  }

  /** Capacity in bytes. */
  public long bytes() {
    return buffer.bytes();
  }

  /** The host's view of all of it, little-endian; what it holds is left from its last use. */
  public ByteBuffer mapped() {
    return buffer().mapped();
  }

  /** Gives it back; no submission may use it any more. A second call does nothing. */
  @Override
  public synchronized void close() {
    if (!released) {
      released = true;
      pool.release(buffer);
    }
  }
}
