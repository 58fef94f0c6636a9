package dev.caldera.backend.vulkan;

import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import dev.caldera.shaders.ShaderRegistry;

/** {@link Op.Softmax} of f32 tensors, one subgroup a row along the axis. */
final class SoftmaxKernel extends PlainKernel<Op.Softmax> {
  SoftmaxKernel() {
    super(Op.Softmax.class);
  }

  @Override
  boolean takes(Node node) {
    return Operands.allAre(DType.F32, node.inputs());
  }

  @Override
  StepRecorder prepare(Op.Softmax op, Operands operands, Pipelines pipelines) {
    Shape shape = operands.input(0);
    Dim innerDim = new Shape(shape.dims().subList(op.axis() + 1, shape.rank())).elements();
    Pipeline pipeline =
        pipelines.pipeline(ShaderRegistry.SOFTMAX_F32, Grid.rowInvocations(pipelines));
    return run -> {
      long length = run.size(shape.dim(op.axis()));
      long rows = length == 0 ? 0 : run.size(shape.elements()) / length;
      run.address(run.input(0)).address(run.output(0));
      run.integer(rows).integer(length).integer(run.size(innerDim));
      run.dispatch(pipeline, Grid.rowGroups(rows), 1, 1);
    };
  }
}
