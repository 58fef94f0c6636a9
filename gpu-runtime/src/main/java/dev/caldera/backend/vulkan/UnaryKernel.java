package dev.caldera.backend.vulkan;

import dev.caldera.graph.DType;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.shaders.ShaderRegistry;

/** {@link Op.Unary} of f32 tensors, and NOT of booleans; one invocation an element. */
final class UnaryKernel extends PlainKernel<Op.Unary> {
  UnaryKernel() {
    super(Op.Unary.class);
  }

  @Override
  boolean takes(Node node) {
    boolean not = ((Op.Unary) node.op()).kind() == Op.UnaryKind.NOT;
    return Operands.haveTypes(node, not ? DType.BOOL : DType.F32);
  }

  @Override
  StepRecorder prepare(Op.Unary op, Operands operands, Pipelines pipelines) {
    int invocations = Grid.elementInvocations(pipelines);
    Pipeline pipeline =
        pipelines.pipeline(
            operands.inputType(0) == DType.BOOL
                ? ShaderRegistry.UNARY_BOOL
                : ShaderRegistry.UNARY_F32,
            invocations,
            op.kind().ordinal());
    return run -> {
      long count = run.size(operands.input(0).elements());
      run.address(run.input(0)).address(run.output(0)).integer(count);
      run.dispatch(pipeline, Grid.groups(count, invocations), 1, 1);
    };
  }
}
