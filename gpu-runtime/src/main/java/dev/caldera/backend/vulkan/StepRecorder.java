package dev.caldera.backend.vulkan;

/**
 * A step bound to its pipelines: records the step's dispatches, run after run. Thread-safe.
 *
 * <p>It is also called once when a program is compiled, with the bucket's sizes and a recording
 * that only checks limits; so it must not depend on the values of addresses.
 */
@FunctionalInterface
interface StepRecorder {

  /** Records all dispatches of the step, in order. */
  void record(StepRun run);
}
