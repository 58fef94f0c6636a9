package dev.caldera.backend.vulkan;

import dev.caldera.graph.DType;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import dev.caldera.shaders.ShaderRegistry;
import java.util.Arrays;

/** {@link Op.MatMul} of f32 tensors, batch after batch; each element is one chain of fma. */
final class MatMulKernel extends PlainKernel<Op.MatMul> {
  MatMulKernel() {
    super(Op.MatMul.class);
  }

  @Override
  boolean takes(Node node) {
    return Operands.allAre(DType.F32, node.inputs())
        && node.inputs().stream().allMatch(value -> value.type().shape().rank() >= 2);
  }

  @Override
  StepRecorder prepare(Op.MatMul op, Operands operands, Pipelines pipelines) {
    TileForm form = TileForm.of(pipelines);
    Pipeline pipeline =
        form == TileForm.SHARED
            ? pipelines.pipeline(ShaderRegistry.MATMUL_TILE_F32)
            : pipelines.pipeline(ShaderRegistry.MATMUL_NARROW_F32, pipelines.subgroupSize());
    int columnTile = form.columns(pipelines);
    return run -> {
      long rows = run.size(operands.output(0).dim(-2));
      long columns = run.size(operands.output(0).dim(-1));
      long[] batches = batches(run, operands.output(0));
      StridedWalk walk =
          new StridedWalk(
              batches,
              batchStrides(run, operands.input(0), batches.length),
              batchStrides(run, operands.input(1), batches.length));
      run.address(run.input(0)).address(run.input(1)).address(run.output(0));
      run.integer(rows).integer(run.size(operands.input(0).dim(-1))).integer(columns);
      walk.push(run);
      run.dispatch(
          pipeline,
          Grid.tiles(columns, columnTile),
          Grid.tiles(rows, form.rows()),
          Grid.groups(walk.count(), 1));
    };
  }

  private static long[] batches(StepRun run, Shape shape) {
    return Arrays.copyOf(StepShapes.dims(run, shape), shape.rank() - 2);
  }

  /** Elements from one matrix to the next along each batch dim. */
  private static long[] batchStrides(StepRun run, Shape shape, int rank) {
    long matrix = run.size(shape.dim(-2)) * run.size(shape.dim(-1));
    return Arrays.stream(StridedWalk.broadcast(batches(run, shape), rank))
        .map(stride -> stride * matrix)
        .toArray();
  }
}
