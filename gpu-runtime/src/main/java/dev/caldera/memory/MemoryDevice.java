package dev.caldera.memory;

/** The memory of a device: what arena, weight pool and staging pool stand on. Thread-safe. */
public interface MemoryDevice {

  /**
   * Allocates a zeroed buffer; its start is aligned to at least 256 bytes as kernels see it.
   *
   * @throws IllegalArgumentException if {@code bytes} is not positive or over {@link
   *     #allocationLimit()}
   * @throws OutOfDeviceMemoryException if the device has no such room left
   */
  DeviceBuffer allocate(long bytes, BufferUse use);

  /** The most bytes that one allocation may have. */
  long allocationLimit();

  /** Begins recording a submission. Submissions run in the order in which they are submitted. */
  Commands begin();

  /** Counts of what this device has allocated; for metrics and for tests that nothing leaks. */
  AllocationCounters counters();
}
