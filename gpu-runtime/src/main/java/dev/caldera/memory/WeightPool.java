package dev.caldera.memory;

import dev.caldera.plan.ExecutionPlan;
import dev.caldera.plan.WeightKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Shared, counted weights of all models on a device, within a byte budget. Thread-safe.
 *
 * <p>A record is <i>used</i> while a lease holds it. A record that nobody uses stays until its room
 * is needed: then the one whose last step is the oldest goes first, of whatever model. A record
 * that a step has used is never evicted in that step. The first to acquire an absent record loads
 * it; others that want it meanwhile wait for that load, and share its failure, except that an
 * interrupted load is taken over by the next in line.
 *
 * <p>{@link #open} does it all. Below it: {@link #acquire} answers what must be read, {@link
 * #planReads} orders and cuts it, {@link #load} reads, and {@link #finish} makes it usable or
 * {@link #fail} gives its places back.
 *
 * <p>Policy is here and in {@link WeightTable}, mechanism in a {@link WeightBacking}.
 */
public final class WeightPool implements AutoCloseable {
  private final WeightBacking backing;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final WeightTable table;
  private long step;
  private boolean closed;

  /** An empty pool over a backing, which it closes. */
  public WeightPool(WeightBacking backing) {
    this.backing = backing;
    this.table = new WeightTable(backing);
  }

  /** An empty pool that copies weights to a device; see {@link CopiedWeights}. */
  public static WeightPool copied(MemoryDevice device, StagingPool staging, long budgetBytes) {
    return new WeightPool(new CopiedWeights(device, staging, budgetBytes));
  }

  /** Holds all weights of a plan open; see {@link #open(List)}. */
  public Lease open(ExecutionPlan plan) throws InterruptedException {
    return open(WeightRecord.of(plan));
  }

  /**
   * Holds records open, loading what is absent.
   *
   * @throws OutOfDeviceMemoryException if they do not fit beside what is in use
   * @throws IllegalStateException if a load that another caller began failed, or the pool is closed
   * @throws InterruptedException if interrupted while loading or waiting; nothing is held then
   */
  public Lease open(List<WeightRecord> records) throws InterruptedException {
    while (true) {
      Acquisition acquisition = acquire(records, nextStep());
      try {
        load(planReads(acquisition));
      } catch (Throwable failure) {
        fail(acquisition, failure);
        throw failure;
      }
      Optional<Lease> lease = complete(acquisition);
      if (lease.isPresent()) {
        return lease.get();
      }
    }
  }

  /** A step later than all before it, for {@link #acquire}. */
  public long nextStep() {
    return locked(() -> ++step);
  }

  /**
   * Claims records for a step: those that are present are kept, those that are absent get a place.
   *
   * @param records any number; the same one twice counts once
   * @param step from {@link #nextStep}; several acquisitions may share it
   * @return what is claimed and what must be read; ends with {@link #finish} or {@link #fail}
   * @throws OutOfDeviceMemoryException if they do not fit beside what is in use; nothing is claimed
   * @throws IllegalStateException if the pool is closed
   */
  public Acquisition acquire(List<WeightRecord> records, long step) {
    Map<WeightKey, WeightRecord> wanted = new LinkedHashMap<>();
    records.forEach(record -> wanted.put(record.key(), record));
    return locked(
        () -> {
          checkOpen();
          return table.acquire(wanted, step);
        });
  }

  /** The reads that an acquisition owes, in pieces, in the order of their places. */
  public List<WeightRead> planReads(Acquisition acquisition) {
    List<WeightRead> reads = new ArrayList<>();
    for (WeightTable.Entry entry : acquisition.owed) {
      BufferRange place = entry.place;
      for (long at = 0; at < place.bytes(); at += backing.pieceBytes()) {
        long bytes = Math.min(backing.pieceBytes(), place.bytes() - at);
        reads.add(new WeightRead(entry.record, at, place.part(at, bytes)));
      }
    }
    return reads;
  }

  /** Brings bytes to their places. */
  public void load(List<WeightRead> reads) throws InterruptedException {
    backing.load(reads);
  }

  /**
   * Makes what was read usable, and waits for records that others are reading.
   *
   * @throws IllegalStateException if another's load failed or was given up, or the pool is closed;
   *     nothing is held then
   * @throws InterruptedException if interrupted while waiting; nothing is held then
   */
  public Lease finish(Acquisition acquisition) throws InterruptedException {
    return complete(acquisition)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "Cannot finish an acquisition of weights: a load that it shared was given up"));
  }

  /** Gives an acquisition back: its loads have failed, and who waits for them is told why. */
  public void fail(Acquisition acquisition, Throwable cause) {
    change(
        () -> {
          acquisition.end();
          table.fail(acquisition.owed, cause);
          release(acquisition.entries.values());
        });
  }

  /**
   * How often a model's weights were uploaded: the most often of its records, so 1 unless some were
   * evicted and came back.
   *
   * @param model as in {@link WeightKey#model}
   */
  public long uploads(String model) {
    return locked(() -> table.uploads(model));
  }

  /** Bytes of a model's records that are present. */
  public long bytes(String model) {
    return locked(() -> table.bytes(model));
  }

  /** Whether a record is present and usable. */
  public boolean holds(WeightKey key) {
    return locked(() -> table.holds(key));
  }

  /**
   * Frees all records: those in use when their last lease is closed. Who waits for a load gets an
   * {@link IllegalStateException}. A second call does nothing.
   */
  @Override
  public void close() {
    change(
        () -> {
          closed = true;
          changed.signalAll();
          freeIfDone();
        });
  }

  /** Empty when a load that the acquisition waited for was given up: then nothing is held. */
  private Optional<Lease> complete(Acquisition acquisition) throws InterruptedException {
    lock.lock();
    try {
      acquisition.end();
      table.loaded(acquisition.owed);
      changed.signalAll();
      return awaitAll(acquisition.entries);
    } finally {
      lock.unlock();
    }
  }

  private Optional<Lease> awaitAll(Map<WeightKey, WeightTable.Entry> entries)
      throws InterruptedException {
    boolean held = false;
    try {
      for (WeightTable.Entry entry : entries.values()) {
        while (entry.isLoading() && !closed) {
          changed.await();
        }
        checkOpen();
        if (entry.isAbandoned()) {
          return Optional.empty();
        }
        entry.checkLoaded();
      }
      held = true;
      return Optional.of(new PoolLease(this, entries));
    } finally {
      if (!held) {
        release(entries.values());
      }
    }
  }

  private void release(Iterable<WeightTable.Entry> entries) {
    entries.forEach(entry -> entry.uses--);
    changed.signalAll();
    freeIfDone();
  }

  private void freeIfDone() {
    if (closed && table.freeUnused()) {
      backing.close();
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("Cannot acquire weights: the pool is closed");
    }
  }

  private void change(Runnable action) {
    lock.lock();
    try {
      action.run();
    } finally {
      lock.unlock();
    }
  }

  private <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  /** Records claimed for a step, some of which this claim must read. */
  public static final class Acquisition {
    private final Map<WeightKey, WeightTable.Entry> entries;
    private final List<WeightTable.Entry> owed;
    private boolean ended;

    Acquisition(Map<WeightKey, WeightTable.Entry> entries, List<WeightTable.Entry> owed) {
      this.entries = entries;
      this.owed = owed;
    }

    /** The records that must be read before {@link WeightPool#finish}. */
    public List<WeightRecord> missing() {
      return owed.stream().map(entry -> entry.record).toList();
    }

    private void end() {
      if (ended) {
        throw new IllegalStateException(
            "Cannot end an acquisition of weights: it was finished or failed before");
      }
      ended = true;
    }
  }

  /** Weights held open; closing releases them. */
  public interface Lease extends AutoCloseable {

    /**
     * Where a record lies on the device.
     *
     * @throws IllegalArgumentException if the lease does not hold it
     * @throws IllegalStateException if the lease is closed
     */
    BufferRange range(WeightKey key);

    /** Lets the records go; a second call does nothing. */
    @Override
    void close();
  }

  private static final class PoolLease implements Lease {
    private final WeightPool pool;
    private final Map<WeightKey, WeightTable.Entry> entries;
    private boolean released;

    PoolLease(WeightPool pool, Map<WeightKey, WeightTable.Entry> entries) {
      this.pool = pool;
      this.entries = new HashMap<>(entries);
    }

    @Override
    public synchronized BufferRange range(WeightKey key) {
      if (released) {
        throw new IllegalStateException("Cannot find weight " + key + ": the lease is closed");
      }
      WeightTable.Entry entry = entries.get(key);
      if (entry == null) {
        throw new IllegalArgumentException("Cannot find weight " + key + ": it is not leased");
      }
      return entry.place;
    }

    @Override
    public synchronized void close() {
      if (!released) {
        released = true;
        pool.change(() -> pool.release(entries.values()));
      }
    }
  }
}
