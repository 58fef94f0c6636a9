package dev.caldera.backend.cpu;

import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.plan.KernelChoice;
import dev.caldera.plan.Layout;
import dev.caldera.plan.Step;
import java.util.List;
import java.util.Optional;

/** Normalises each row to mean 0 and variance 1, scales and shifts it. */
final class LayerNormKernel implements CpuKernel {
  private final Compute compute;

  LayerNormKernel(Compute compute) {
    this.compute = compute;
  }

  @Override
  public Class<? extends Op> op() {
    return Op.LayerNorm.class;
  }

  @Override
  public Optional<KernelChoice> choose(Graph graph, Node node) {
    Layout row = Layout.rowMajor();
    return CpuKernel.choice(
        "layer norm", List.of(Blocks.LAYOUT, row, row), List.of(Blocks.LAYOUT), bucket -> 0);
  }

  @Override
  public StepRun prepare(Step step, StepPlaces places) {
    float epsilon = ((Op.LayerNorm) step.op()).epsilon();
    RowNorm norm = new RowNorm(compute, places.input(1), places.input(2), epsilon);
    return scope -> {
      Blocks x = places.input(0).blocks(scope);
      Blocks y = places.output().blocks(scope);
      int rows = places.input(0).rows(scope);
      int columns = places.input(0).columns(scope);
      float[] partials = new float[Lanes.PARTIALS];
      for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column += Blocks.WIDTH) {
          System.arraycopy(
              x.data(),
              x.place(row, column),
              y.data(),
              y.place(row, column),
              Math.min(Blocks.WIDTH, columns - column));
        }
        norm.apply(scope, y, row, columns, partials);
      }
    };
  }
}
