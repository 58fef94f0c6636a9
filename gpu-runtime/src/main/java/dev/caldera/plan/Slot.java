package dev.caldera.plan;

/**
 * A place in the arena.
 *
 * @param chunk which of the arena's allocations
 * @param offset bytes from the chunk's start, a multiple of the plan's alignment
 * @param bytes capacity; the actual length of a run may be less
 */
public record Slot(int chunk, long offset, long bytes) {

  /** The first byte behind it, from the chunk's start. */
  public long end() {
    return offset + bytes;
  }

  /** Whether the two share a byte. */
  public boolean overlaps(Slot other) {
    return chunk == other.chunk && offset < other.end() && other.offset < end();
  }
}
