package dev.caldera.backend.vulkan;

import dev.caldera.graph.DType;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;

/** {@link Op.Where} of any element type; one invocation an element. */
final class WhereKernel extends PlainKernel<Op.Where> {
  WhereKernel() {
    super(Op.Where.class);
  }

  @Override
  boolean takes(Node node) {
    return node.input(0).type().dtype() == DType.BOOL
        && node.input(1).type().dtype() == node.input(2).type().dtype();
  }

  @Override
  StepRecorder prepare(Op.Where op, Operands operands, Pipelines pipelines) {
    int invocations = Grid.elementInvocations(pipelines);
    Pipeline pipeline =
        pipelines.pipeline(Widths.of(Widths.WHERE, operands.inputType(1)), invocations);
    return run -> {
      long[] dims = StepShapes.dims(run, operands.output(0));
      long[][] strides = new long[operands.inputs()][];
      for (int input = 0; input < strides.length; input++) {
        run.address(run.input(input));
        strides[input] =
            StridedWalk.broadcast(StepShapes.dims(run, operands.input(input)), dims.length);
      }
      run.address(run.output(0));
      StridedWalk walk = new StridedWalk(dims, strides);
      walk.push(run);
      run.dispatch(pipeline, Grid.groups(walk.count(), invocations), 1, 1);
    };
  }
}
