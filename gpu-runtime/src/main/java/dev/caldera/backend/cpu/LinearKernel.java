package dev.caldera.backend.cpu;

import dev.caldera.graph.Activation;
import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.plan.KernelChoice;
import dev.caldera.plan.Layout;
import dev.caldera.plan.Step;
import java.util.List;
import java.util.Optional;

/**
 * activation(x weight + bias).
 *
 * <p>The product is cut so that what the inner loops touch stays in a core's second cache: some
 * {@link #ROWS} rows by one block of x, one block of y, and the weight's piece between them. Steps:
 * for each group of rows, block of y and block of x, and strip of rows within the group, start from
 * the bias (first block of x), add the products of the strip with all panels, apply the activation
 * (last block of x). An element's sum is one chain: bias, then depth ascending.
 */
final class LinearKernel implements CpuKernel {
  /** Rows of a group; a multiple of a strip. */
  private static final int ROWS = 43 * Tiles.STRIP;

  private final Tiles tiles;
  private final Lanes lanes;

  LinearKernel(Compute compute) {
    this.tiles = compute.tiles();
    this.lanes = compute.lanes();
  }

  @Override
  public Class<? extends Op> op() {
    return Op.Linear.class;
  }

  @Override
  public Optional<KernelChoice> choose(Graph graph, Node node) {
    return CpuKernel.choice(
        "linear",
        List.of(Blocks.LAYOUT, new Layout.Panels(tiles.panel()), Layout.rowMajor()),
        List.of(Blocks.LAYOUT),
        bucket -> 0);
  }

  @Override
  public StepRun prepare(Step step, StepPlaces places) {
    Op.Linear op = (Op.Linear) step.op();
    Place weight = places.input(1);
    return scope -> {
      Weights weights =
          new Weights(
              weight.data(scope),
              weight.at(),
              places.input(2).data(scope),
              places.input(2).at(),
              weight.rows(scope),
              weight.columns(scope),
              op.activation());
      Blocks x = places.input(0).blocks(scope);
      Blocks y = places.output().blocks(scope);
      int rows = places.input(0).rows(scope);
      for (int from = 0; from < rows; from += ROWS) {
        multiply(x, weights, y, from, Math.min(rows, from + ROWS));
      }
    };
  }

  /** The right side: a weight in panels and its bias. */
  private record Weights(
      float[] data,
      int at,
      float[] bias,
      int biasAt,
      int depth,
      int columns,
      Activation activation) {}

  private void multiply(Blocks x, Weights weights, Blocks y, int from, int to) {
    for (int column = 0; column < weights.columns(); column += Blocks.WIDTH) {
      for (int depth = 0; depth < weights.depth(); depth += Blocks.WIDTH) {
        for (int row = from; row < to; row += Tiles.STRIP) {
          strip(x, weights, y, row, Math.min(Tiles.STRIP, to - row), column, depth);
        }
      }
    }
  }

  private void strip(Blocks x, Weights w, Blocks y, int row, int rows, int column, int depth) {
    int columns = Math.min(Blocks.WIDTH, w.columns() - column);
    int place = y.place(row, column);
    if (depth == 0) {
      for (int i = 0; i < rows; i++) {
        System.arraycopy(
            w.bias(), w.biasAt() + column, y.data(), place + i * Blocks.WIDTH, columns);
      }
    }
    int panel = tiles.panel();
    tiles.accumulate(
        x.data(),
        x.place(row, depth),
        w.data(),
        w.at() + column * w.depth() + depth * panel,
        w.depth() * panel,
        y.data(),
        place,
        rows,
        columns,
        Math.min(Blocks.WIDTH, w.depth() - depth));
    if (depth + Blocks.WIDTH >= w.depth() && w.activation() != Activation.NONE) {
      for (int i = 0; i < rows; i++) {
        lanes.activate(w.activation(), y.data(), place + i * Blocks.WIDTH, columns);
      }
    }
  }
}
