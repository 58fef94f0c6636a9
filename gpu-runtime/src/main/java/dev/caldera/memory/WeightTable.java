package dev.caldera.memory;

import dev.caldera.plan.WeightKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The records of a weight pool: which are present, used, evicted next. Guarded by its pool. */
final class WeightTable {
  private final WeightBacking backing;
  private final Map<WeightKey, Entry> entries = new LinkedHashMap<>();
  private final Map<WeightKey, Long> uploads = new HashMap<>();

  WeightTable(WeightBacking backing) {
    this.backing = backing;
  }

  WeightPool.Acquisition acquire(Map<WeightKey, WeightRecord> wanted, long step) {
    Map<WeightKey, Entry> claimed = new LinkedHashMap<>();
    List<WeightRecord> absent = new ArrayList<>();
    for (WeightRecord record : wanted.values()) {
      Entry entry = entries.get(record.key());
      if (entry == null) {
        absent.add(record);
      } else {
        entry.uses++;
        entry.lastStep = Math.max(entry.lastStep, step);
        claimed.put(record.key(), entry);
      }
    }
    List<Entry> owed = new ArrayList<>();
    try {
      List<BufferRange> places = absent.isEmpty() ? List.of() : place(absent, step);
      for (int i = 0; i < absent.size(); i++) {
        Entry entry = new Entry(absent.get(i), places.get(i), step);
        entries.put(entry.record.key(), entry);
        claimed.put(entry.record.key(), entry);
        owed.add(entry);
      }
    } catch (RuntimeException failure) {
      claimed.values().forEach(entry -> entry.uses--);
      throw failure;
    }
    return new WeightPool.Acquisition(claimed, owed);
  }

  /** Places records, evicting what was last used longest ago until they fit. */
  private List<BufferRange> place(List<WeightRecord> records, long step) {
    long staying = placedBytes(entry -> !entry.isEvictable(step));
    if (staying + placedBytes(records) > backing.budgetBytes()) {
      throw outOfRoom(records, null);
    }
    while (true) {
      OutOfDeviceMemoryException full = null;
      try {
        Optional<List<BufferRange>> places = backing.place(records);
        if (places.isPresent()) {
          return places.get();
        }
      } catch (OutOfDeviceMemoryException failure) {
        full = failure;
      }
      Optional<Entry> victim =
          entries.values().stream()
              .filter(entry -> entry.isEvictable(step))
              .min(Comparator.comparingLong(entry -> entry.lastStep));
      if (victim.isEmpty()) {
        throw outOfRoom(records, full);
      }
      remove(victim.get());
    }
  }

  private OutOfDeviceMemoryException outOfRoom(
      List<WeightRecord> records, @Nullable OutOfDeviceMemoryException cause) {
    OutOfDeviceMemoryException failure =
        new OutOfDeviceMemoryException(
            String.format(
                "Cannot place %d weights of model %s in %d bytes: %d bytes of a budget of %d are in"
                    + " use%s",
                records.size(),
                records.get(0).key().model(),
                placedBytes(records),
                placedBytes(entry -> true),
                backing.budgetBytes(),
                cause == null ? "" : ", and " + cause.getMessage()));
    if (cause != null) {
      failure.initCause(cause);
    }
    return failure;
  }

  private long placedBytes(List<WeightRecord> records) {
    return records.stream().mapToLong(record -> backing.placedBytes(record.bytes())).sum();
  }

  private long placedBytes(Predicate<Entry> which) {
    return entries.values().stream()
        .filter(which)
        .mapToLong(entry -> backing.placedBytes(entry.place.bytes()))
        .sum();
  }

  void loaded(List<Entry> loaded) {
    for (Entry entry : loaded) {
      entry.state = State.READY;
      uploads.merge(entry.record.key(), 1L, Long::sum);
    }
  }

  void fail(List<Entry> failed, Throwable cause) {
    for (Entry entry : failed) {
      entry.state = cause instanceof InterruptedException ? State.ABANDONED : State.FAILED;
      entry.failure = cause;
      remove(entry);
    }
  }

  /** Frees all records that nobody uses; whether none is left. */
  boolean freeUnused() {
    List<Entry> unused = entries.values().stream().filter(entry -> entry.uses == 0).toList();
    unused.forEach(this::remove);
    return entries.isEmpty();
  }

  boolean holds(WeightKey key) {
    Entry entry = entries.get(key);
    return entry != null && entry.state == State.READY;
  }

  long uploads(String model) {
    return uploads.entrySet().stream()
        .filter(upload -> upload.getKey().model().equals(model))
        .mapToLong(Map.Entry::getValue)
        .max()
        .orElse(0);
  }

  long bytes(String model) {
    return entries.values().stream()
        .filter(entry -> entry.record.key().model().equals(model))
        .mapToLong(entry -> entry.place.bytes())
        .sum();
  }

  private void remove(Entry entry) {
    entries.remove(entry.record.key());
    backing.free(entry.place);
  }

  private enum State {
    LOADING,
    READY,
    FAILED,
    ABANDONED
  }

  /** A record with a place. */
  static final class Entry {
    final WeightRecord record;
    final BufferRange place;
    int uses = 1;
    long lastStep;
    private State state = State.LOADING;
    private @Nullable Throwable failure;

    Entry(WeightRecord record, BufferRange place, long step) {
      this.record = record;
      this.place = place;
      this.lastStep = step;
    }

    boolean isEvictable(long step) {
      return state == State.READY && uses == 0 && lastStep != step;
    }

    boolean isLoading() {
      return state == State.LOADING;
    }

    /** Whether its load was interrupted, so that another may try. */
    boolean isAbandoned() {
      return state == State.ABANDONED;
    }

    void checkLoaded() {
      if (state == State.FAILED) {
        throw new IllegalStateException(
            "Cannot use weight " + record.key().tensor() + ": its load failed", failure);
      }
    }
  }
}
