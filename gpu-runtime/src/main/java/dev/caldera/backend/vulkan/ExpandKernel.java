package dev.caldera.backend.vulkan;

import dev.caldera.graph.Node;
import dev.caldera.graph.Op;

/** {@link Op.Expand} of any element type; one invocation an element. */
final class ExpandKernel extends PlainKernel<Op.Expand> {
  ExpandKernel() {
    super(Op.Expand.class);
  }

  @Override
  boolean takes(Node node) {
    return true;
  }

  @Override
  StepRecorder prepare(Op.Expand op, Operands operands, Pipelines pipelines) {
    StridedCopy copy = new StridedCopy(pipelines, operands.inputType(0));
    return run -> {
      long[] dims = StepShapes.dims(run, operands.output(0));
      long[] from = StridedWalk.broadcast(StepShapes.dims(run, operands.input(0)), dims.length);
      copy.record(
          run,
          dims,
          new StridedCopy.View(run.input(0), 0, from),
          new StridedCopy.View(run.output(0), 0, StridedWalk.rowMajor(dims)));
    };
  }
}
