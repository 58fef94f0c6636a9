package dev.caldera.backend.vulkan;

import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;

/** {@link Op.Gather} of any element type at i32 or i64 indices; one invocation an element. */
final class GatherKernel extends PlainKernel<Op.Gather> {
  GatherKernel() {
    super(Op.Gather.class);
  }

  @Override
  boolean takes(Node node) {
    DType indices = node.input(1).type().dtype();
    return indices == DType.I32 || indices == DType.I64;
  }

  @Override
  StepRecorder prepare(Op.Gather op, Operands operands, Pipelines pipelines) {
    Shape data = operands.input(0);
    Dim outerDim = new Shape(data.dims().subList(0, op.axis())).elements();
    Dim innerDim = new Shape(data.dims().subList(op.axis() + 1, data.rank())).elements();
    int invocations = Grid.elementInvocations(pipelines);
    Pipeline pipeline =
        pipelines.pipeline(
            Widths.of(Widths.GATHER, operands.inputType(0)),
            invocations,
            operands.inputType(1).bytes() / Integer.BYTES);
    return run -> {
      run.address(run.input(0)).address(run.input(1)).address(run.output(0));
      run.integer(run.size(outerDim)).integer(run.size(data.dim(op.axis())));
      run.integer(run.size(innerDim)).integer(run.size(operands.input(1).elements()));
      long count = run.size(operands.output(0).elements());
      run.dispatch(pipeline, Grid.groups(count, invocations), 1, 1);
    };
  }
}
