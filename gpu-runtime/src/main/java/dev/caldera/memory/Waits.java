package dev.caldera.memory;

/** Waiting where memory may not be given back before the device is done with it. */
final class Waits {
  private Waits() {}

  /** Waits until a submission has run; an interrupt that comes meanwhile is kept for the caller. */
  static void uninterruptibly(Completion completion) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          completion.await();
          return;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
