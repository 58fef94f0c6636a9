package dev.caldera.plan;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Where every value of a plan lies.
 *
 * @param placements place of each value, by value name; a view lies inside its root
 * @param chunkBytes size of each chunk the arena must have
 * @param scratch the zone behind the slots, in the last chunk, that steps share one after another;
 *     of 0 bytes when no step needs it
 * @param unsharedBytes what the same values (and the scratch zone) would take, each in a place of
 *     its own, aligned and with its slack
 * @param alignment of every offset, in bytes
 * @param slack bytes kept behind each tensor, for kernels that read whole vectors or tiles
 */
public record MemoryPlan(
    Map<String, Placement> placements,
    List<Long> chunkBytes,
    Slot scratch,
    long unsharedBytes,
    int alignment,
    int slack) {

  public MemoryPlan {
    placements = Collections.unmodifiableMap(new LinkedHashMap<>(placements));
    chunkBytes = List.copyOf(chunkBytes);
  }

  /**
   * The place of a value.
   *
   * @throws IllegalArgumentException if the plan has no such value
   */
  public Slot slot(String value) {
    return placement(value).slot();
  }

  /** Where a value lies and when it is live; see {@link #slot}. */
  public Placement placement(String value) {
    Placement placement = placements.get(value);
    if (placement == null) {
      throw new IllegalArgumentException(
          "Cannot find the slot of " + value + ": the plan has " + placements.keySet());
    }
    return placement;
  }

  /** Bytes that the arena holds, all chunks. */
  public long peakBytes() {
    return chunkBytes.stream().mapToLong(Long::longValue).sum();
  }

  /** The share of the unshared sum that sharing saves, from 0 to 1. */
  public double saving() {
    return unsharedBytes == 0 ? 0 : 1 - (double) peakBytes() / unsharedBytes;
  }

  /** One line: peak, unshared sum, saving. */
  public String summary() {
    long views = placements.values().stream().filter(Placement::isView).count();
    return String.format(
        Locale.ROOT,
        "arena %s in %d chunk%s, %.1f%% saved of %s unshared; %d slots, %d views, scratch %s",
        Sizes.readable(peakBytes()),
        chunkBytes.size(),
        chunkBytes.size() == 1 ? "" : "s",
        100 * saving(),
        Sizes.readable(unsharedBytes),
        placements.size() - views,
        views,
        Sizes.readable(scratch.bytes()));
  }

  /** The summary, then one row a value in order of chunk and offset, for a person. */
  public String report() {
    StringBuilder text = new StringBuilder(summary()).append('\n');
    text.append(row("chunk", "offset", "bytes", "steps", "value"));
    placements.values().stream()
        .sorted(
            Comparator.comparingInt((Placement p) -> p.slot().chunk())
                .thenComparingLong(p -> p.slot().offset())
                .thenComparingInt(Placement::firstStep)
                .thenComparing(Placement::isView)
                .thenComparing(Placement::value))
        .forEach(p -> text.append(row(p)));
    if (scratch.bytes() > 0) {
      text.append(row(scratch.chunk(), scratch.offset(), scratch.bytes(), "all", "(scratch)"));
    }
    return text.toString();
  }

  private static String row(Placement placement) {
    Slot slot = placement.slot();
    return row(
        slot.chunk(),
        slot.offset(),
        slot.bytes(),
        placement.firstStep() + "-" + placement.lastStep(),
        placement.isView()
            ? placement.value() + " (in " + placement.root() + ")"
            : placement.value());
  }

  private static String row(Object chunk, Object offset, Object bytes, String steps, String value) {
    return String.format("%5s %14s %14s %9s  %s\n", chunk, offset, bytes, steps, value);
  }
}
