package dev.caldera.backend.vulkan;

import dev.caldera.graph.Node;
import dev.caldera.graph.Op;

/** {@link Op.Concat} of any element type; one dispatch an operand, one invocation an element. */
final class ConcatKernel extends PlainKernel<Op.Concat> {
  ConcatKernel() {
    super(Op.Concat.class);
  }

  @Override
  boolean takes(Node node) {
    return true;
  }

  @Override
  StepRecorder prepare(Op.Concat op, Operands operands, Pipelines pipelines) {
    StridedCopy copy = new StridedCopy(pipelines, operands.inputType(0));
    return run -> {
      long[] to = StridedWalk.rowMajor(StepShapes.dims(run, operands.output(0)));
      long first = 0;
      for (int input = 0; input < operands.inputs(); input++) {
        long[] dims = StepShapes.dims(run, operands.input(input));
        copy.record(
            run,
            dims,
            new StridedCopy.View(run.input(input), 0, StridedWalk.rowMajor(dims)),
            new StridedCopy.View(run.output(0), first, to));
        first += dims[op.axis()] * to[op.axis()];
      }
    };
  }
}
