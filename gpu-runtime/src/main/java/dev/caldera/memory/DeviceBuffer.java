package dev.caldera.memory;

import java.nio.ByteBuffer;

/** One allocation of a {@link MemoryDevice}; its owner closes it, once no submission uses it. */
public interface DeviceBuffer extends AutoCloseable {

  /** Capacity in bytes. */
  long bytes();

  /** What it is for. */
  BufferUse use();

  /**
   * The host's view of an {@link BufferUse#UPLOAD} or {@link BufferUse#READBACK} buffer: a fresh
   * little-endian view over all of it.
   *
   * @throws IllegalStateException for a {@link BufferUse#DEVICE} buffer or after close
   */
  ByteBuffer mapped();

  /** Frees the memory; a second call does nothing. */
  @Override
  void close();
}
