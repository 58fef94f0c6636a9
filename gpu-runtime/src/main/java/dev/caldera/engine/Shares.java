package dev.caldera.engine;

/**
 * How many of the waiting tokens the next batch takes. Not thread-safe.
 *
 * <p>Terms: the <i>budget</i> is the most tokens of a batch; a <i>round</i> is the batches that the
 * waiting tokens are cut into. Taking the budget each time would leave a small rest at the end, and
 * all workers but one idle while it runs. So a round has as few batches as the budget allows,
 * rounded up to a multiple of the workers that run side by side, and all of its batches are equal.
 * Rounding up never makes a batch smaller than {@link #SMALLEST}: a tiny batch costs more than an
 * idle worker. When more arrives during a round, what waits is cut anew.
 */
final class Shares {
  /** Tokens below which a batch is not cut to keep more workers busy. */
  static final int SMALLEST = 128;

  private final int budget;
  private final int workers;
  private long left;

  /**
   * A rule for a device.
   *
   * @param budget the most tokens of a batch
   * @param workers batches that run side by side, each as fast as it would alone
   */
  Shares(int budget, int workers) {
    this.budget = budget;
    this.workers = workers;
  }

  /**
   * The tokens that the next batch should take.
   *
   * @param waiting tokens that wait, more than 0
   */
  int next(long waiting) {
    long needed = ceilingOf(waiting, budget);
    long batches = Math.max(left, needed);
    if (batches > left) {
      batches = ceilingOf(batches, workers) * workers;
    }
    batches = Math.min(batches, Math.max(needed, waiting / SMALLEST));
    left = batches - 1;
    return Math.toIntExact(ceilingOf(waiting, batches));
  }

  private static long ceilingOf(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }
}
