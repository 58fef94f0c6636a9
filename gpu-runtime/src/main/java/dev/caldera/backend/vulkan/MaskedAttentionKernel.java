package dev.caldera.backend.vulkan;

import dev.caldera.graph.DType;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.shaders.ShaderRegistry;

/** {@link Op.MaskedAttention} over f32 rows, one invocation a row and head. */
final class MaskedAttentionKernel extends PlainKernel<Op.MaskedAttention> {
  private static final int ROWS_A_WORKGROUP = 64;

  MaskedAttentionKernel() {
    super(Op.MaskedAttention.class);
  }

  @Override
  boolean takes(Node node) {
    return Operands.allAre(DType.F32, node.inputs());
  }

  @Override
  StepRecorder prepare(Op.MaskedAttention op, Operands operands, Pipelines pipelines) {
    operands.require(
        op.headSize() % 4 == 0,
        "the head size is " + op.headSize() + ", a multiple of 4 would be right");
    Pipeline pipeline =
        pipelines.pipeline(
            ShaderRegistry.MASKED_ATTENTION_F32,
            ROWS_A_WORKGROUP,
            op.heads(),
            op.headSize(),
            Grid.keyBlock(pipelines));
    return run -> {
      long rows = run.size(operands.input(0).rows());
      for (int input = 0; input < operands.inputs(); input++) {
        run.address(run.input(input));
      }
      run.address(run.output(0));
      run.integer(rows).integer(run.size(operands.input(0).dim(1))).real(op.scale());
      run.dispatch(pipeline, Grid.groups(rows, ROWS_A_WORKGROUP), op.heads(), 1);
    };
  }
}
