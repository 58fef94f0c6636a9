package dev.caldera.memory;

/**
 * One submission being recorded, in order: copies here, kernels in a backend's extension. Barriers
 * between commands that conflict are the recorder's task. Not thread-safe.
 */
public interface Commands extends AutoCloseable {

  /**
   * Copies bytes between two buffers of this device, which may be the same one.
   *
   * @throws IndexOutOfBoundsException if a range does not lie in its buffer, or overlapping ranges
   *     of the same buffer are given
   */
  void copy(
      DeviceBuffer source, long sourceOffset, DeviceBuffer target, long targetOffset, long bytes);

  /** Hands the recorded commands to the device; once a recording. */
  Completion submit();

  /** Gives back what a recording that was never submitted holds; a second call does nothing. */
  @Override
  void close();
}
