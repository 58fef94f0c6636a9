package dev.caldera.memory;

import dev.caldera.plan.WeightKey;

/** Shared, counted weights on a device. */
public final class WeightPool implements AutoCloseable {
  @Override
  public void close() {}

  /** Weights held open; closing releases them. */
  public interface Lease extends AutoCloseable {
    /** Where a record lies on the device. */
    Range range(WeightKey key);

    @Override
    void close();
  }

  /** A range of a device buffer. */
  public record Range(DeviceBuffer buffer, long offset, long bytes) {}
}
