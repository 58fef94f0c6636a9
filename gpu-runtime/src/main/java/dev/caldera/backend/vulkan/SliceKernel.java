package dev.caldera.backend.vulkan;

import dev.caldera.graph.Node;
import dev.caldera.graph.Op;

/** {@link Op.Slice} of any element type; one invocation an element. */
final class SliceKernel extends PlainKernel<Op.Slice> {
  SliceKernel() {
    super(Op.Slice.class);
  }

  @Override
  boolean takes(Node node) {
    return true;
  }

  @Override
  StepRecorder prepare(Op.Slice op, Operands operands, Pipelines pipelines) {
    StridedCopy copy = new StridedCopy(pipelines, operands.inputType(0));
    return run -> {
      long[] from = StridedWalk.rowMajor(StepShapes.dims(run, operands.input(0)));
      long[] dims = StepShapes.dims(run, operands.output(0));
      long first = run.size(op.start()) * from[op.axis()];
      copy.record(
          run,
          dims,
          new StridedCopy.View(run.input(0), first, from),
          new StridedCopy.View(run.output(0), 0, StridedWalk.rowMajor(dims)));
    };
  }
}
