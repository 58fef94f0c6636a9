package dev.caldera.backend.vulkan;

import java.util.Map;
import java.util.TreeMap;

/** A set of addresses, held as disjoint intervals that are merged when they touch. */
final class IntervalSet {
  private final TreeMap<Long, Long> ends = new TreeMap<>();

  /** Adds [start, end); an empty interval adds nothing. */
  void add(long start, long end) {
    if (start >= end) {
      return;
    }
    long first = start;
    long last = end;
    Map.Entry<Long, Long> before = ends.floorEntry(end);
    while (before != null && before.getValue() >= start) {
      first = Math.min(first, before.getKey());
      last = Math.max(last, before.getValue());
      ends.remove(before.getKey());
      before = ends.floorEntry(end);
    }
    ends.put(first, last);
  }

  /** Whether an address of [start, end) is in the set. */
  boolean intersects(long start, long end) {
    if (start >= end) {
      return false;
    }
    Map.Entry<Long, Long> before = ends.lowerEntry(end);
    return before != null && before.getValue() > start;
  }

  /** Adds all addresses to {@code other} and takes them out of this set. */
  void moveTo(IntervalSet other) {
    ends.forEach(other::add);
    ends.clear();
  }

  /** Takes everything out. */
  void clear() {
    ends.clear();
  }

  /** The number of disjoint intervals. */
  int size() {
    return ends.size();
  }
}
