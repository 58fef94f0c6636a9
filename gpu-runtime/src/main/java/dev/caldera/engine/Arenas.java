package dev.caldera.engine;

import dev.caldera.memory.Arena;
import dev.caldera.memory.MemoryDevice;
import dev.caldera.plan.MemoryPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * The arenas of an engine's workers: one each, or one for all. They are reserved when the first
 * model is loaded, and grow when one is loaded that needs more.
 */
final class Arenas implements AutoCloseable {
  private final MemoryDevice device;
  private final int count;
  private final List<Arena> arenas = new ArrayList<>();

  /** No arenas yet; {@code count} once a model is loaded. */
  Arenas(MemoryDevice device, int count) {
    this.device = device;
    this.count = count;
  }

  /**
   * Makes sure that every arena has room for a plan.
   *
   * @throws dev.caldera.memory.OutOfDeviceMemoryException if the device has not; arenas that have
   *     grown stay so
   * @throws InterruptedException if interrupted while a batch runs in an arena that must grow
   */
  synchronized void reserve(MemoryPlan plan) throws InterruptedException {
    for (Arena arena : arenas) {
      arena.hold(plan).close();
    }
    while (arenas.size() < count) {
      arenas.add(Arena.reserve(device, plan));
    }
  }

  /** The arena of worker {@code worker}; all are reserved by the time a batch has come. */
  synchronized Arena of(int worker) {
    return arenas.get(worker % count);
  }

  /** Bytes reserved, all arenas. */
  synchronized long bytes() {
    return arenas.stream().mapToLong(Arena::bytes).sum();
  }

  @Override
  public synchronized void close() {
    arenas.forEach(Arena::close);
    arenas.clear();
  }
}
