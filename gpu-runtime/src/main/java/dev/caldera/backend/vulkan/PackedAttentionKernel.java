package dev.caldera.backend.vulkan;

import dev.caldera.graph.DType;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.shaders.ShaderRegistry;

/** {@link Op.PackedAttention} over f32 rows, one invocation a token and head. */
final class PackedAttentionKernel extends PlainKernel<Op.PackedAttention> {
  private static final int TOKENS_A_WORKGROUP = 64;

  PackedAttentionKernel() {
    super(Op.PackedAttention.class);
  }

  @Override
  boolean takes(Node node) {
    return Operands.haveTypes(node, DType.F32, DType.I32);
  }

  @Override
  StepRecorder prepare(Op.PackedAttention op, Operands operands, Pipelines pipelines) {
    operands.require(
        op.headSize() % 4 == 0,
        "the head size is " + op.headSize() + ", a multiple of 4 would be right");
    Pipeline pipeline =
        pipelines.pipeline(
            ShaderRegistry.PACKED_ATTENTION_F32,
            TOKENS_A_WORKGROUP,
            op.heads(),
            op.headSize(),
            Grid.keyBlock(pipelines));
    return run -> {
      long tokens = run.size(operands.input(0).rows());
      run.address(run.input(0)).address(run.input(1)).address(run.output(0));
      run.integer(tokens).integer(run.size(operands.input(1).dim(0)) - 1);
      run.integer(operands.inputRows(0)).real(op.scale());
      run.dispatch(pipeline, Grid.groups(tokens, TOKENS_A_WORKGROUP), op.heads(), 1);
    };
  }
}
