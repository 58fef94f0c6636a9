package dev.caldera.backend.cpu;

import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.plan.KernelChoice;
import dev.caldera.plan.Layout;
import dev.caldera.plan.Step;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Makes one vector of a sequence's rows; zeros for a sequence without rows. */
final class PoolKernel implements CpuKernel {
  /** The least norm that a vector is divided by. */
  private static final double LEAST_NORM = 1e-12;

  @Override
  public Class<? extends Op> op() {
    return Op.Pool.class;
  }

  @Override
  public Optional<KernelChoice> choose(Graph graph, Node node) {
    return CpuKernel.choice(
        "pool", List.of(Blocks.LAYOUT, Layout.rowMajor()), List.of(Layout.rowMajor()), bucket -> 0);
  }

  @Override
  public StepRun prepare(Step step, StepPlaces places) {
    Op.Pool op = (Op.Pool) step.op();
    return scope -> {
      Blocks x = places.input(0).blocks(scope);
      int columns = places.input(0).columns(scope);
      Starts starts = Starts.of(step.node(), places.input(1), places.input(0).rows(scope), scope);
      float[] vector = new float[columns];
      float[] row = new float[columns];
      for (int sequence = 0; sequence < starts.count(); sequence++) {
        Arrays.fill(vector, 0f);
        if (starts.length(sequence) > 0) {
          pool(op.pooling(), x, starts.start(sequence), starts.length(sequence), row, vector);
        }
        if (op.normalize()) {
          normalize(vector);
        }
        System.arraycopy(
            vector,
            0,
            places.output().data(scope),
            places.output().at() + sequence * columns,
            columns);
      }
    };
  }

  private static void pool(
      Op.Pooling pooling, Blocks x, int start, int length, float[] row, float[] vector) {
    switch (pooling) {
      case MEAN:
        for (int i = start; i < start + length; i++) {
          x.read(i, row);
          for (int column = 0; column < vector.length; column++) {
            vector[column] += row[column];
          }
        }
        for (int column = 0; column < vector.length; column++) {
          vector[column] /= length;
        }
        break;
      case MAX:
        Arrays.fill(vector, Float.NEGATIVE_INFINITY);
        for (int i = start; i < start + length; i++) {
          x.read(i, row);
          for (int column = 0; column < vector.length; column++) {
            vector[column] = Math.max(vector[column], row[column]);
          }
        }
        break;
      case CLS:
        x.read(start, vector);
        break;
      case LAST:
        x.read(start + length - 1, vector);
        break;
    }
  }

  private static void normalize(float[] vector) {
    double squares = 0;
    for (float value : vector) {
      squares += (double) value * value;
    }
    float factor = (float) (1 / Math.max(Math.sqrt(squares), LEAST_NORM));
    for (int column = 0; column < vector.length; column++) {
      vector[column] *= factor;
    }
  }
}
