package dev.caldera.backend.cpu;

/** A prepared step; immutable, run by many threads, each over an arena of its own. */
interface StepRun {

  /**
   * Runs the step.
   *
   * @throws IllegalArgumentException if data that the host uploaded is out of range, such as a
   *     token id
   */
  void run(RunScope scope);
}
