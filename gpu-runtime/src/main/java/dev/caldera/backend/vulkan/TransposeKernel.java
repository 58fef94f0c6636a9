package dev.caldera.backend.vulkan;

import dev.caldera.graph.Node;
import dev.caldera.graph.Op;

/** {@link Op.Transpose} of any element type; one invocation an element. */
final class TransposeKernel extends PlainKernel<Op.Transpose> {
  TransposeKernel() {
    super(Op.Transpose.class);
  }

  @Override
  boolean takes(Node node) {
    return true;
  }

  @Override
  StepRecorder prepare(Op.Transpose op, Operands operands, Pipelines pipelines) {
    StridedCopy copy = new StridedCopy(pipelines, operands.inputType(0));
    return run -> {
      long[] from = StridedWalk.rowMajor(StepShapes.dims(run, operands.input(0)));
      long[] permuted = op.permutation().stream().mapToLong(axis -> from[axis]).toArray();
      long[] dims = StepShapes.dims(run, operands.output(0));
      copy.record(
          run,
          dims,
          new StridedCopy.View(run.input(0), 0, permuted),
          new StridedCopy.View(run.output(0), 0, StridedWalk.rowMajor(dims)));
    };
  }
}
