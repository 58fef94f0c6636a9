package dev.caldera.backend.vulkan;

import dev.caldera.graph.Dim;

/**
 * One run of one step, as its {@link StepRecorder} sees it: where the operands lie, how large they
 * are this time, and the recording to which dispatches are added.
 *
 * <p>Push constants are appended in the order of the shader's block, each aligned to its own size,
 * and are consumed by the next dispatch. Barriers against other steps stand already when a step
 * starts to record.
 */
interface StepRun {

  /** Device address of the step's input {@code index}, slot or weight; 256-byte aligned. */
  long input(int index);

  /** Device address of the step's output {@code index}; 256-byte aligned. */
  long output(int index);

  /** Device address of the step's scratch zone; 256-byte aligned. */
  long scratch();

  /** The actual size of {@code dim} in this run. */
  long size(Dim dim);

  /** Appends a 64-bit push constant. */
  StepRun address(long address);

  /**
   * Appends a 32-bit integer push constant.
   *
   * @throws ArithmeticException if {@code value} does not fit an unsigned 32-bit integer
   */
  StepRun integer(long value);

  /** Appends a 32-bit float push constant. */
  StepRun real(float value);

  /**
   * Adds a dispatch with the push constants appended since the last one. A dispatch of no
   * workgroups is left out.
   *
   * @throws IllegalArgumentException if a count is over the device's limit; names step and limit
   */
  void dispatch(Pipeline pipeline, long groupsX, long groupsY, long groupsZ);

  /** Makes what this step's earlier dispatches wrote visible to its later ones. */
  void barrier();
}
