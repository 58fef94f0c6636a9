package dev.caldera.backend.vulkan;

import dev.caldera.graph.DType;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.plan.Layout;
import dev.caldera.shaders.ShaderRegistry;

/**
 * {@link Op.Linear} in f32. The weight stands in panels of 64 columns, so that a tile streams its
 * part of it; each element is one chain of fma from the bias on, k ascending.
 */
final class LinearKernel extends PlainKernel<Op.Linear> {
  private static final Layout WEIGHT_LAYOUT = new Layout.Panels(64);

  LinearKernel() {
    super(Op.Linear.class);
  }

  @Override
  boolean takes(Node node) {
    return Operands.allAre(DType.F32, node.inputs());
  }

  @Override
  Layout layout(int index) {
    return index == 1 ? WEIGHT_LAYOUT : Layout.rowMajor();
  }

  @Override
  StepRecorder prepare(Op.Linear op, Operands operands, Pipelines pipelines) {
    int depth = operands.fixed(operands.input(1).dim(0), "the number of rows of the weight");
    int columns = operands.fixed(operands.input(1).dim(1), "the number of columns of the weight");
    int activation = op.activation().ordinal();
    TileForm form = TileForm.of(pipelines);
    Pipeline pipeline =
        form == TileForm.SHARED
            ? pipelines.pipeline(ShaderRegistry.LINEAR_TILE_F32, depth, columns, activation)
            : pipelines.pipeline(
                ShaderRegistry.LINEAR_NARROW_F32,
                pipelines.subgroupSize(),
                depth,
                columns,
                activation);
    long columnTiles = Grid.tiles(columns, form.columns(pipelines));
    return run -> {
      long rows = run.size(operands.input(0).rows());
      run.address(run.input(0)).address(run.input(1)).address(run.input(2));
      run.address(run.output(0)).integer(rows).integer(operands.inputRows(0));
      run.dispatch(pipeline, columnTiles, Grid.tiles(rows, form.rows()), 1);
    };
  }
}
