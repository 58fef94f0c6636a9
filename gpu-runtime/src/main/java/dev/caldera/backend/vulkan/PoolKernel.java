package dev.caldera.backend.vulkan;

import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.shaders.ShaderRegistry;

/** {@link Op.Pool} of f32 rows, one subgroup a sequence. */
final class PoolKernel extends PlainKernel<Op.Pool> {
  PoolKernel() {
    super(Op.Pool.class);
  }

  @Override
  boolean takes(Node node) {
    return Operands.haveTypes(node, DType.F32, DType.I32);
  }

  @Override
  StepRecorder prepare(Op.Pool op, Operands operands, Pipelines pipelines) {
    Dim sequenceDim = operands.output(0).dim(0);
    Pipeline pipeline =
        pipelines.pipeline(
            ShaderRegistry.POOL_F32,
            Grid.rowInvocations(pipelines),
            operands.fixed(operands.input(0).columns(), "the width of x"),
            op.pooling().ordinal(),
            op.normalize() ? 1 : 0);
    return run -> {
      long sequences = run.size(sequenceDim);
      run.address(run.input(0)).address(run.input(1)).address(run.output(0));
      run.integer(run.size(operands.input(0).rows())).integer(sequences);
      run.integer(operands.inputRows(0));
      run.dispatch(pipeline, Grid.rowGroups(sequences), 1, 1);
    };
  }
}
