package dev.caldera.memory;

import dev.caldera.plan.MemoryPlanner;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One allocation that weight records share. A record takes its <i>extent</i>: its bytes and the
 * slack behind them, rounded up to the alignment. Gaps between extents are kept by offset; a freed
 * extent is joined with the gaps beside it.
 */
final class WeightSlab implements AutoCloseable {
  private final DeviceBuffer buffer;

  /** Bytes of each gap, by offset. */
  private final TreeMap<Long, Long> gaps = new TreeMap<>();

  WeightSlab(DeviceBuffer buffer) {
    this.buffer = buffer;
    gaps.put(0L, buffer.bytes());
  }

  static long extent(long bytes) {
    long unit = MemoryPlanner.ALIGNMENT;
    return Math.addExact(bytes, MemoryPlanner.SLACK + unit - 1) / unit * unit;
  }

  long bytes() {
    return buffer.bytes();
  }

  /** Takes the lowest gap that is wide enough. */
  Optional<BufferRange> take(long bytes) {
    long extent = extent(bytes);
    for (Map.Entry<Long, Long> gap : gaps.entrySet()) {
      if (gap.getValue() >= extent) {
        long offset = gap.getKey();
        long left = gap.getValue() - extent;
        gaps.remove(offset);
        if (left > 0) {
          gaps.put(offset + extent, left);
        }
        return Optional.of(new BufferRange(buffer, offset, bytes));
      }
    }
    return Optional.empty();
  }

  boolean holds(BufferRange place) {
    return place.buffer() == buffer;
  }

  void free(BufferRange place) {
    long start = place.offset();
    long end = start + extent(place.bytes());
    Map.Entry<Long, Long> before = gaps.lowerEntry(start);
    if (before != null && before.getKey() + before.getValue() == start) {
      start = before.getKey();
    }
    Long after = gaps.remove(end);
    gaps.put(start, end + (after == null ? 0 : after) - start);
  }

  boolean isEmpty() {
    return gaps.getOrDefault(0L, 0L) == buffer.bytes();
  }

  @Override
  public void close() {
    buffer.close();
  }
}
