package dev.caldera.backend.vulkan;

import dev.caldera.graph.DType;

/** Copies a strided view of one tensor to a strided view of another: what moving ops stand on. */
final class StridedCopy {
  private final Pipeline pipeline;
  private final int invocations;

  /** A copier of elements of {@code type}. */
  StridedCopy(Pipelines pipelines, DType type) {
    this.invocations = Grid.elementInvocations(pipelines);
    this.pipeline = pipelines.pipeline(Widths.of(Widths.STRIDED_COPY, type), invocations);
  }

  /** One side of a copy: address, the view's first element, strides in elements. */
  record View(long address, long start, long[] strides) {}

  /** Copies all elements of a view of {@code dims}. */
  void record(StepRun run, long[] dims, View from, View to) {
    StridedWalk walk = new StridedWalk(dims, from.strides(), to.strides());
    run.address(from.address()).address(to.address());
    walk.push(run);
    run.integer(from.start()).integer(to.start());
    run.dispatch(pipeline, Grid.groups(walk.count(), invocations), 1, 1);
  }
}
