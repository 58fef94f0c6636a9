package dev.caldera.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives every value of a schedule a place, so that values that are never live together share bytes.
 *
 * <p>Terms. A <i>root</i> has room of its own; a <i>view</i> lies inside another value and takes
 * none. A <i>live range</i> is the steps from the one that writes a value to the last one that
 * reads it, both included, so that a step's inputs and outputs never share. A root's live range
 * covers those of its views. An <i>extent</i> is a root's bytes and the slack behind them, rounded
 * up to the alignment. A <i>chunk</i> is one allocation.
 *
 * <p>Steps:
 *
 * <ol>
 *   <li>charge each view's live range to its root;
 *   <li>take the roots by extent, largest first (then by first step and name, so that equal input
 *       gives an equal plan);
 *   <li>place each at the lowest aligned offset of the lowest chunk where no root that is live at
 *       the same time lies; open a new chunk when no chunk has such an offset;
 *   <li>put the scratch zone behind the last chunk, or in one of its own when that is full.
 * </ol>
 */
public final class MemoryPlanner {
  /** The alignment that every device's kernels rely on, in bytes. */
  public static final int ALIGNMENT = 256;

  /** The slack that every device's kernels rely on, in bytes. */
  public static final int SLACK = 256;

  private final long chunkLimit;

  /**
   * A planner for a device.
   *
   * @param allocationLimit the most bytes of one allocation, hence of a chunk
   */
  public MemoryPlanner(long allocationLimit) {
    this.chunkLimit = allocationLimit / ALIGNMENT * ALIGNMENT;
    if (chunkLimit <= 0) {
      throw new IllegalArgumentException(
          "Cannot plan memory: allocations are limited to "
              + allocationLimit
              + " bytes, which must be at least "
              + ALIGNMENT);
    }
  }

  /**
   * Places all values.
   *
   * @param values each view after the value it lies in
   * @param scratchBytes size of the scratch zone; 0 for none
   * @throws IllegalArgumentException if a value is larger than a chunk, if a view does not lie in
   *     its parent at an aligned offset, or if a name stands twice
   */
  public MemoryPlan plan(List<LiveValue> values, long scratchBytes) {
    Map<String, Range> ranges = ranges(values);
    List<Range> roots =
        ranges.values().stream()
            .filter(range -> range.isRoot())
            .sorted(
                Comparator.comparingLong((Range range) -> -range.extent)
                    .thenComparingInt(range -> range.first)
                    .thenComparing(range -> range.value.name()))
            .toList();
    List<Chunk> chunks = new ArrayList<>();
    long unshared = 0;
    for (Range root : roots) {
      checkFits("value " + root.value.name(), root.value.bytes(), root.extent);
      place(root, chunks);
      unshared = Math.addExact(unshared, root.extent);
    }
    Slot scratch = placeScratch(scratchBytes, chunks);
    unshared = Math.addExact(unshared, scratchBytes == 0 ? 0 : extent(scratchBytes));
    Map<String, Placement> placements = new LinkedHashMap<>();
    ranges.values().forEach(range -> placements.put(range.value.name(), range.placement()));
    return new MemoryPlan(
        placements,
        chunks.stream().map(chunk -> chunk.bytes).toList(),
        scratch,
        unshared,
        ALIGNMENT,
        SLACK);
  }

  private static long extent(long bytes) {
    return Sizes.roundUp(Math.addExact(bytes, SLACK), ALIGNMENT);
  }

  private static Map<String, Range> ranges(List<LiveValue> values) {
    Map<String, Range> ranges = new LinkedHashMap<>();
    for (LiveValue value : values) {
      Range range =
          value
              .view()
              .map(view -> viewRange(value, view, ranges))
              .orElseGet(() -> new Range(value));
      if (ranges.put(value.name(), range) != null) {
        throw new IllegalArgumentException(
            "Cannot plan value " + value.name() + ": it stands twice in the schedule");
      }
      range.root.first = Math.min(range.root.first, value.firstStep());
      range.root.last = Math.max(range.root.last, value.lastStep());
    }
    return ranges;
  }

  private static Range viewRange(
      LiveValue value, LiveValue.ViewOf view, Map<String, Range> ranges) {
    Range parent = ranges.get(view.parent());
    if (parent == null) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot plan view %s: its parent %s is not planned before it",
              value.name(), view.parent()));
    }
    boolean inside = view.offset() >= 0 && view.offset() <= parent.value.bytes() - value.bytes();
    if (!inside || view.offset() % ALIGNMENT != 0) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot plan view %s: %d bytes at offset %d must lie in the %d bytes of %s,"
                  + " at a multiple of %d",
              value.name(),
              value.bytes(),
              view.offset(),
              parent.value.bytes(),
              view.parent(),
              ALIGNMENT));
    }
    return new Range(value, parent.root, parent.offsetInRoot + view.offset());
  }

  private void place(Range root, List<Chunk> chunks) {
    for (int index = 0; index < chunks.size(); index++) {
      long offset = chunks.get(index).lowestOffset(root);
      if (offset <= chunkLimit - root.extent) {
        chunks.get(index).add(root, index, offset);
        return;
      }
    }
    Chunk chunk = new Chunk();
    chunk.add(root, chunks.size(), 0);
    chunks.add(chunk);
  }

  private Slot placeScratch(long bytes, List<Chunk> chunks) {
    if (bytes < 0) {
      throw new IllegalArgumentException("Cannot plan scratch: " + bytes + " bytes");
    }
    int last = Math.max(0, chunks.size() - 1);
    if (bytes == 0) {
      return new Slot(last, chunks.isEmpty() ? 0 : chunks.get(last).bytes, 0);
    }
    long extent = extent(bytes);
    checkFits("scratch", bytes, extent);
    if (chunks.isEmpty() || chunks.get(last).bytes > chunkLimit - extent) {
      chunks.add(new Chunk());
    }
    Chunk chunk = chunks.get(chunks.size() - 1);
    Slot slot = new Slot(chunks.size() - 1, chunk.bytes, bytes);
    chunk.bytes += extent;
    return slot;
  }

  private void checkFits(String what, long bytes, long extent) {
    if (extent > chunkLimit) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot plan %s: its %d bytes (%d with slack) are over the %d bytes that one"
                  + " allocation of the device may have; a smaller batch would fit",
              what, bytes, extent, chunkLimit));
    }
  }

  /** A value's live range and, once placed, its place. */
  private static final class Range {
    final LiveValue value;
    final Range root;
    final long offsetInRoot;
    final long extent;
    int first;
    int last;
    int chunk;
    long offset;

    @SuppressWarnings("NullAway") // A root is its own root.
    Range(LiveValue value) {
      this.value = value;
      this.root = this;
      this.offsetInRoot = 0;
      this.extent = extent(value.bytes());
      this.first = value.firstStep();
      this.last = value.lastStep();
    }

    Range(LiveValue value, Range root, long offsetInRoot) {
      this.value = value;
      this.root = root;
      this.offsetInRoot = offsetInRoot;
      this.extent = 0;
      this.first = value.firstStep();
      this.last = value.lastStep();
    }

    boolean isRoot() {
      return root == this;
    }

    boolean conflicts(Range other) {
      return first <= other.last && other.first <= last;
    }

    Placement placement() {
      Slot slot = new Slot(root.chunk, root.offset + offsetInRoot, value.bytes());
      return new Placement(value.name(), root.value.name(), slot, first, last);
    }
  }

  /** What has been placed in one allocation, in order of offset. */
  private static final class Chunk {
    final List<Range> placed = new ArrayList<>();
    long bytes;

    /** The lowest offset at which nothing that is live with {@code root} lies. */
    long lowestOffset(Range root) {
      long offset = 0;
      for (Range other : placed) {
        if (other.conflicts(root)) {
          if (other.offset - offset >= root.extent) {
            return offset;
          }
          offset = Math.max(offset, other.offset + other.extent);
        }
      }
      return offset;
    }

    void add(Range root, int chunk, long offset) {
      root.chunk = chunk;
      root.offset = offset;
      int index = 0;
      while (index < placed.size() && placed.get(index).offset <= offset) {
        index++;
      }
      placed.add(index, root);
      bytes = Math.max(bytes, offset + root.extent);
    }
  }
}
