package dev.caldera.backend.cpu;

import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.plan.KernelChoice;
import dev.caldera.plan.Layout;
import dev.caldera.plan.Step;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Sums a token's word, position and type vectors and normalises the sum. */
final class EmbeddingNormKernel implements CpuKernel {
  private final Compute compute;

  EmbeddingNormKernel(Compute compute) {
    this.compute = compute;
  }

  @Override
  public Class<? extends Op> op() {
    return Op.EmbeddingNorm.class;
  }

  @Override
  public Optional<KernelChoice> choose(Graph graph, Node node) {
    return CpuKernel.choice(
        "embedding + norm",
        Collections.nCopies(node.inputs().size(), Layout.rowMajor()),
        List.of(Blocks.LAYOUT),
        bucket -> 0);
  }

  @Override
  public StepRun prepare(Step step, StepPlaces places) {
    float epsilon = ((Op.EmbeddingNorm) step.op()).epsilon();
    RowNorm norm = new RowNorm(compute, places.input(6), places.input(7), epsilon);
    return scope -> {
      Table words = new Table(step.node(), "token id", places.input(0), places.input(3), scope);
      Table positions = new Table(step.node(), "position", places.input(1), places.input(4), scope);
      Table types = new Table(step.node(), "type", places.input(2), places.input(5), scope);
      Blocks y = places.output().blocks(scope);
      int rows = places.output().rows(scope);
      int columns = places.output().columns(scope);
      float[] partials = new float[Lanes.PARTIALS];
      for (int row = 0; row < rows; row++) {
        sum(words, positions, types, row, columns, y);
        norm.apply(scope, y, row, columns, partials);
      }
    };
  }

  private void sum(Table words, Table positions, Table types, int row, int columns, Blocks target) {
    int word = words.place(row, columns);
    int position = positions.place(row, columns);
    int type = types.place(row, columns);
    float[] y = target.data();
    for (int column = 0; column < columns; column += Blocks.WIDTH) {
      int count = Math.min(Blocks.WIDTH, columns - column);
      int at = target.place(row, column);
      compute
          .lanes()
          .add(words.data(), word + column, positions.data(), position + column, y, at, count);
      compute.lanes().add(y, at, types.data(), type + column, y, at, count);
    }
  }

  /** A table of vectors and the tokens' indices into it. */
  private static final class Table {
    private final String node;
    private final String what;
    private final float[] indices;
    private final int indicesAt;
    private final float[] data;
    private final int at;
    private final int rows;

    Table(String node, String what, Place indices, Place table, RunScope scope) {
      this.node = node;
      this.what = what;
      this.indices = indices.data(scope);
      this.indicesAt = indices.at();
      this.data = table.data(scope);
      this.at = table.at();
      this.rows = table.rows(scope);
    }

    float[] data() {
      return data;
    }

    /** The place of a token's vector. */
    int place(int token, int columns) {
      int index = Bits.getInt(indices, indicesAt + token);
      if (index < 0 || index >= rows) {
        throw new IllegalArgumentException(
            "Cannot run node %s: %s %d of token %d is out of range, expected 0 to %d"
                .formatted(node, what, index, token, rows - 1));
      }
      return at + index * columns;
    }
  }
}
