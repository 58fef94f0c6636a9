package dev.caldera.backend.vulkan;

import dev.caldera.graph.DType;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import dev.caldera.shaders.ShaderRegistry;
import java.util.stream.IntStream;

/** {@link Op.ReduceMean} of f32 tensors, one subgroup a result. */
final class ReduceMeanKernel extends PlainKernel<Op.ReduceMean> {
  ReduceMeanKernel() {
    super(Op.ReduceMean.class);
  }

  @Override
  boolean takes(Node node) {
    return Operands.allAre(DType.F32, node.inputs());
  }

  @Override
  StepRecorder prepare(Op.ReduceMean op, Operands operands, Pipelines pipelines) {
    Shape shape = operands.input(0);
    int[] reducedAxes = op.axes().stream().mapToInt(Integer::intValue).toArray();
    int[] keptAxes =
        IntStream.range(0, shape.rank()).filter(axis -> !op.axes().contains(axis)).toArray();
    Pipeline pipeline =
        pipelines.pipeline(ShaderRegistry.REDUCE_MEAN_F32, Grid.rowInvocations(pipelines));
    return run -> {
      long[] dims = StepShapes.dims(run, shape);
      StridedWalk kept = walk(dims, keptAxes);
      run.address(run.input(0)).address(run.output(0));
      kept.push(run);
      walk(dims, reducedAxes).push(run);
      run.dispatch(pipeline, Grid.rowGroups(kept.count()), 1, 1);
    };
  }

  private static StridedWalk walk(long[] dims, int[] axes) {
    long[] strides = StridedWalk.rowMajor(dims);
    return new StridedWalk(
        IntStream.of(axes).mapToLong(axis -> dims[axis]).toArray(),
        IntStream.of(axes).mapToLong(axis -> strides[axis]).toArray());
  }
}
