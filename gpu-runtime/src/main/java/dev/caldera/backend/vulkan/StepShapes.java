package dev.caldera.backend.vulkan;

import dev.caldera.graph.Shape;

/** Shapes under the sizes of a run. */
final class StepShapes {
  private StepShapes() {}

  /** The sizes of {@code shape} in this run, outermost first. */
  static long[] dims(StepRun run, Shape shape) {
    return shape.dims().stream().mapToLong(run::size).toArray();
  }
}
