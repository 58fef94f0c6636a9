package dev.caldera.memory;

import dev.caldera.plan.MemoryPlan;
import java.util.List;

/** The planned memory of a device: reserved once for the largest plan, slots at planned offsets. */
public final class Arena implements AutoCloseable {
  /** The arena's allocations, by chunk index. */
  public List<DeviceBuffer> chunks() {
    throw new UnsupportedOperationException();
  }

  public static Arena reserve(MemoryDevice device, MemoryPlan plan) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
