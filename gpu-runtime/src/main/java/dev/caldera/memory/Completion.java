package dev.caldera.memory;

/** A submission on its way. */
public interface Completion {

  /**
   * Waits until the submission has run; its results are then visible to the host.
   *
   * @throws InterruptedException if the waiting thread is interrupted; the submission still runs
   *     and {@code await} may be called again
   */
  void await() throws InterruptedException;

  /** Whether it has run. */
  boolean isDone();

  /** Nanoseconds the device took from its first command to its last; valid once done. */
  long deviceNanos();
}
