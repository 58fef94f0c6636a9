package dev.caldera.memory;

import java.util.List;
import java.util.Optional;

/**
 * The mechanism under a {@link WeightPool}: where records lie and how their bytes get there. The
 * pool decides what is placed and freed, and calls all methods but {@link #load} under its lock.
 */
public interface WeightBacking extends AutoCloseable {

  /**
   * Places records, all or none.
   *
   * @return a place for each, in order; empty when they do not fit beside what is placed
   * @throws IllegalArgumentException if a record can never be placed; names it
   */
  Optional<List<BufferRange>> place(List<WeightRecord> records);

  /**
   * Brings bytes to their places, in the given order.
   *
   * <p>When it returns or throws, nothing is on its way to the places any more.
   *
   * @throws InterruptedException if interrupted; some pieces may have been loaded
   */
  void load(List<WeightRead> reads) throws InterruptedException;

  /** Frees a place that {@link #place} gave. */
  void free(BufferRange place);

  /** Bytes of the budget that a placed record takes. */
  long placedBytes(long recordBytes);

  /** The most bytes it holds. */
  long budgetBytes();

  /** The most bytes of one {@link WeightRead}. */
  long pieceBytes();

  /** Frees what remains. */
  @Override
  void close();
}
