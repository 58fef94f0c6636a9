package dev.caldera.backend.vulkan;

import dev.caldera.graph.DType;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.shaders.ShaderRegistry;

/** {@link Op.LayerNorm} of f32 rows, one subgroup a row. */
final class LayerNormKernel extends PlainKernel<Op.LayerNorm> {
  LayerNormKernel() {
    super(Op.LayerNorm.class);
  }

  @Override
  boolean takes(Node node) {
    return Operands.allAre(DType.F32, node.inputs());
  }

  @Override
  StepRecorder prepare(Op.LayerNorm op, Operands operands, Pipelines pipelines) {
    int columns = operands.fixed(operands.input(1).columns(), "the length of gamma");
    Pipeline pipeline =
        pipelines.pipeline(ShaderRegistry.LAYER_NORM_F32, Grid.rowInvocations(pipelines), columns);
    return run -> {
      long rows = run.size(operands.input(0).rows());
      run.address(run.input(0)).address(run.input(1)).address(run.input(2));
      run.address(run.output(0));
      run.integer(rows).integer(operands.inputRows(0)).real(op.epsilon());
      run.dispatch(pipeline, Grid.rowGroups(rows), 1, 1);
    };
  }
}
