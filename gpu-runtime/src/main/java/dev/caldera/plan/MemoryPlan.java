package dev.caldera.plan;

import java.util.List;
import java.util.Map;

/**
 * Where every value of a plan lies.
 *
 * @param slots place of each value, by value name; a view has its root's chunk and an offset in it
 * @param chunkBytes size of each chunk the arena must have
 * @param scratchBytes size of the scratch zone behind the slots (in the last chunk)
 * @param peakBytes bytes the arena holds, all chunks
 * @param unsharedBytes what the same values would take, each in a place of its own
 * @param alignment of every offset, in bytes
 */
public record MemoryPlan(
    Map<String, Slot> slots,
    List<Long> chunkBytes,
    long scratchBytes,
    long peakBytes,
    long unsharedBytes,
    int alignment) {

  public MemoryPlan {
    slots = Map.copyOf(slots);
    chunkBytes = List.copyOf(chunkBytes);
  }

  /** The share of the unshared sum that sharing saves, from 0 to 1. */
  public double saving() {
    return unsharedBytes == 0 ? 0 : 1 - (double) peakBytes / unsharedBytes;
  }
}
