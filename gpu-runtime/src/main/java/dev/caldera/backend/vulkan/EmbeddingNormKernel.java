package dev.caldera.backend.vulkan;

import dev.caldera.graph.DType;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.shaders.ShaderRegistry;

/** {@link Op.EmbeddingNorm} from f32 tables, one subgroup a token. */
final class EmbeddingNormKernel extends PlainKernel<Op.EmbeddingNorm> {
  EmbeddingNormKernel() {
    super(Op.EmbeddingNorm.class);
  }

  @Override
  boolean takes(Node node) {
    return Operands.haveTypes(
        node, DType.I32, DType.I32, DType.I32, DType.F32, DType.F32, DType.F32, DType.F32,
        DType.F32);
  }

  @Override
  StepRecorder prepare(Op.EmbeddingNorm op, Operands operands, Pipelines pipelines) {
    Pipeline pipeline =
        pipelines.pipeline(
            ShaderRegistry.EMBEDDING_NORM_F32,
            Grid.rowInvocations(pipelines),
            operands.fixed(operands.input(6).columns(), "the length of gamma"),
            operands.fixed(operands.input(3).dim(0), "the number of words"),
            operands.fixed(operands.input(4).dim(0), "the number of positions"),
            operands.fixed(operands.input(5).dim(0), "the number of types"));
    return run -> {
      long tokens = run.size(operands.input(0).dim(0));
      for (int input = 0; input < operands.inputs(); input++) {
        run.address(run.input(input));
      }
      run.address(run.output(0));
      run.integer(tokens).integer(operands.outputRows(0)).real(op.epsilon());
      run.dispatch(pipeline, Grid.rowGroups(tokens), 1, 1);
    };
  }
}
