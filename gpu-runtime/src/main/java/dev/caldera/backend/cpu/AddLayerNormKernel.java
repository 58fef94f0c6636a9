package dev.caldera.backend.cpu;

import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.plan.KernelChoice;
import dev.caldera.plan.Layout;
import dev.caldera.plan.Step;
import java.util.List;
import java.util.Optional;

/** LayerNorm(x + residual), a row at a time. */
final class AddLayerNormKernel implements CpuKernel {
  private final Compute compute;

  AddLayerNormKernel(Compute compute) {
    this.compute = compute;
  }

  @Override
  public Class<? extends Op> op() {
    return Op.AddLayerNorm.class;
  }

  @Override
  public Optional<KernelChoice> choose(Graph graph, Node node) {
    Layout row = Layout.rowMajor();
    return CpuKernel.choice(
        "add + layer norm",
        List.of(Blocks.LAYOUT, Blocks.LAYOUT, row, row),
        List.of(Blocks.LAYOUT),
        bucket -> 0);
  }

  @Override
  public StepRun prepare(Step step, StepPlaces places) {
    float epsilon = ((Op.AddLayerNorm) step.op()).epsilon();
    RowNorm norm = new RowNorm(compute, places.input(2), places.input(3), epsilon);
    return scope -> {
      Blocks x = places.input(0).blocks(scope);
      Blocks residual = places.input(1).blocks(scope);
      Blocks y = places.output().blocks(scope);
      int rows = places.input(0).rows(scope);
      int columns = places.input(0).columns(scope);
      float[] partials = new float[Lanes.PARTIALS];
      for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column += Blocks.WIDTH) {
          compute
              .lanes()
              .add(
                  x.data(),
                  x.place(row, column),
                  residual.data(),
                  residual.place(row, column),
                  y.data(),
                  y.place(row, column),
                  Math.min(Blocks.WIDTH, columns - column));
        }
        norm.apply(scope, y, row, columns, partials);
      }
    };
  }
}
