package dev.caldera.memory;

import java.util.concurrent.atomic.AtomicLong;

/** Counts a device's allocations; all methods are thread-safe. */
public final class AllocationCounters {
  private final AtomicLong allocations = new AtomicLong();
  private final AtomicLong liveBuffers = new AtomicLong();
  private final AtomicLong liveBytes = new AtomicLong();
  private final AtomicLong peakBytes = new AtomicLong();

  /** Notes an allocation. */
  public void allocated(long bytes) {
    allocations.incrementAndGet();
    liveBuffers.incrementAndGet();
    long live = liveBytes.addAndGet(bytes);
    peakBytes.accumulateAndGet(live, Math::max);
  }

  /** Notes that a buffer was freed. */
  public void freed(long bytes) {
    liveBuffers.decrementAndGet();
    liveBytes.addAndGet(-bytes);
  }

  /** Allocations since the device was opened. */
  public long allocations() {
    return allocations.get();
  }

  /** Buffers that are not closed. */
  public long liveBuffers() {
    return liveBuffers.get();
  }

  /** Bytes of the buffers that are not closed. */
  public long liveBytes() {
    return liveBytes.get();
  }

  /** The most bytes that were live at once. */
  public long peakBytes() {
    return peakBytes.get();
  }
}
