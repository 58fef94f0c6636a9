package dev.caldera.backend.cpu;

import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.plan.KernelChoice;
import dev.caldera.plan.Layout;
import dev.caldera.plan.Step;
import java.util.Optional;

/** Copies a tensor of f32 from one layout into another. */
final class ConvertLayoutKernel implements CpuKernel {
  static final String NAME = "convert layout";

  @Override
  public Class<? extends Op> op() {
    return Op.ConvertLayout.class;
  }

  /** No graph holds this op, so it is never chosen for a node. */
  @Override
  public Optional<KernelChoice> choose(Graph graph, Node node) {
    return Optional.empty();
  }

  @Override
  public StepRun prepare(Step step, StepPlaces places) {
    Place source = places.input(0);
    Place target = places.output();
    Layout from = source.operand().layout();
    Layout to = target.operand().layout();
    return scope -> {
      int rows = source.rows(scope);
      int columns = source.columns(scope);
      float[] read = source.data(scope);
      float[] written = target.data(scope);
      // Of two block widths the smaller divides the larger, or all columns are one block.
      int run = Math.min(from.blockWidth(columns), to.blockWidth(columns));
      for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column += run) {
          long a = from.index(row, column, source.capacity(), columns);
          long b = to.index(row, column, target.capacity(), columns);
          int count = Math.min(run, columns - column);
          System.arraycopy(read, source.at() + (int) a, written, target.at() + (int) b, count);
        }
      }
    };
  }
}
