package dev.caldera.backend.vulkan;

import dev.caldera.graph.DType;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.shaders.ShaderRegistry;

/** {@link Op.AddLayerNorm} of f32 rows, one subgroup a row. */
final class AddLayerNormKernel extends PlainKernel<Op.AddLayerNorm> {
  AddLayerNormKernel() {
    super(Op.AddLayerNorm.class);
  }

  @Override
  boolean takes(Node node) {
    return Operands.allAre(DType.F32, node.inputs())
        && node.input(0).type().equals(node.input(1).type());
  }

  @Override
  StepRecorder prepare(Op.AddLayerNorm op, Operands operands, Pipelines pipelines) {
    int columns = operands.fixed(operands.input(2).columns(), "the length of gamma");
    Pipeline pipeline =
        pipelines.pipeline(
            ShaderRegistry.ADD_LAYER_NORM_F32, Grid.rowInvocations(pipelines), columns);
    return run -> {
      long rows = run.size(operands.input(0).rows());
      run.address(run.input(0)).address(run.input(1)).address(run.input(2)).address(run.input(3));
      run.address(run.output(0));
      run.integer(rows).integer(operands.inputRows(0)).real(op.epsilon());
      run.dispatch(pipeline, Grid.rowGroups(rows), 1, 1);
    };
  }
}
