package dev.caldera.graph;

import java.util.List;

/** Host rules of the ops that reduce along an axis or look rows up. */
final class HostRows {

  private static final double LEAST_NORM = 1e-12;

  private HostRows() {}

  static void register(HostEvaluator.Registry registry) {
    registry.add(Op.Softmax.class, (op, in) -> softmax(op, in.get(0)));
    registry.add(Op.ReduceMean.class, (op, in) -> reduceMean(op, in.get(0)));
    registry.add(
        Op.LayerNorm.class,
        (op, in) -> List.of(layerNorm(in.get(0), values(in.get(0)), op.epsilon(), in, 1)));
    registry.add(Op.AddLayerNorm.class, HostRows::addLayerNorm);
    registry.add(Op.EmbeddingNorm.class, HostRows::embeddingNorm);
    registry.add(Op.Pool.class, (op, in) -> pool(op, in.get(0), in.get(1)));
  }

  private static List<HostTensor> softmax(Op.Softmax op, HostTensor x) {
    int size = x.dim(op.axis());
    int inner = HostIndex.product(x.dims(), op.axis() + 1, x.rank());
    double[] results = new double[x.size()];
    for (int start = 0; start < x.size(); start++) {
      if (start / inner % size != 0) {
        continue;
      }
      double most = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < size; i++) {
        most = Math.max(most, x.floatAt(start + i * inner));
      }
      double sum = 0;
      for (int i = 0; i < size; i++) {
        results[start + i * inner] = Math.exp(x.floatAt(start + i * inner) - most);
        sum += results[start + i * inner];
      }
      for (int i = 0; i < size; i++) {
        results[start + i * inner] /= sum;
      }
    }
    return List.of(HostTensor.of(x.dtype(), results, x.dims()));
  }

  private static List<HostTensor> reduceMean(Op.ReduceMean op, HostTensor x) {
    long[] kept = x.dims();
    op.axes().forEach(axis -> kept[axis] = 1);
    int[] targets = HostIndex.broadcast(kept, x.dims());
    double[] sums = new double[HostTensor.elements(kept)];
    for (int i = 0; i < targets.length; i++) {
      sums[targets[i]] += x.floatAt(i);
    }
    int count = sums.length == 0 ? 1 : x.size() / sums.length;
    for (int i = 0; i < sums.length; i++) {
      sums[i] /= count;
    }
    HostTensor mean = HostTensor.of(x.dtype(), sums, kept);
    if (op.keepDims()) {
      return List.of(mean);
    }
    long[] dims = new long[x.rank() - op.axes().size()];
    int next = 0;
    for (int i = 0; i < x.rank(); i++) {
      if (!op.axes().contains(i)) {
        dims[next++] = x.dim(i);
      }
    }
    return List.of(mean.reshape(dims));
  }

  private static double[] values(HostTensor x) {
    double[] values = new double[x.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = x.floatAt(i);
    }
    return values;
  }

  /** Normalises rows of {@code values}; gamma and beta are operands {@code gamma} and after it. */
  private static HostTensor layerNorm(
      HostTensor like, double[] values, double epsilon, List<HostTensor> in, int gamma) {
    int width = in.get(gamma).size();
    double[] results = new double[values.length];
    for (int row = 0; row < values.length; row += width) {
      double mean = 0;
      for (int i = 0; i < width; i++) {
        mean += values[row + i] / width;
      }
      double variance = 0;
      for (int i = 0; i < width; i++) {
        variance += (values[row + i] - mean) * (values[row + i] - mean) / width;
      }
      for (int i = 0; i < width; i++) {
        double normal = (values[row + i] - mean) / Math.sqrt(variance + epsilon);
        results[row + i] = normal * in.get(gamma).floatAt(i) + in.get(gamma + 1).floatAt(i);
      }
    }
    long[] dims = like.dims();
    dims[dims.length - 1] = width;
    return HostTensor.of(like.dtype(), results, dims);
  }

  private static List<HostTensor> addLayerNorm(Op.AddLayerNorm op, List<HostTensor> in) {
    double[] sums = values(in.get(0));
    for (int i = 0; i < sums.length; i++) {
      sums[i] += in.get(1).floatAt(i);
    }
    return List.of(layerNorm(in.get(0), sums, op.epsilon(), in, 2));
  }

  private static List<HostTensor> embeddingNorm(Op.EmbeddingNorm op, List<HostTensor> in) {
    int tokens = in.get(0).size();
    int width = in.get(6).size();
    double[] sums = new double[Math.multiplyExact(tokens, width)];
    for (int table = 0; table < 3; table++) {
      HostTensor rows = in.get(3 + table);
      for (int t = 0; t < tokens; t++) {
        int row = HostMovement.row(in.get(table).longAt(t), rows.dim(0));
        for (int i = 0; i < width; i++) {
          sums[t * width + i] += rows.floatAt(row * width + i);
        }
      }
    }
    HostTensor like = HostTensor.of(in.get(3).dtype(), sums, tokens, width);
    return List.of(layerNorm(like, sums, op.epsilon(), in, 6));
  }

  private static List<HostTensor> pool(Op.Pool op, HostTensor x, HostTensor starts) {
    int width = x.dim(1);
    int sequences = starts.size() - 1;
    double[] results = new double[Math.multiplyExact(sequences, width)];
    for (int s = 0; s < sequences; s++) {
      int begin = start(starts, s, x.dim(0));
      int end = start(starts, s + 1, x.dim(0));
      double squares = 0;
      for (int i = 0; i < width; i++) {
        double value = begin == end ? 0 : poolColumn(op.pooling(), x, begin, end, i);
        results[s * width + i] = value;
        squares += value * value;
      }
      double norm = op.normalize() ? Math.max(Math.sqrt(squares), LEAST_NORM) : 1;
      for (int i = 0; i < width; i++) {
        results[s * width + i] /= norm;
      }
    }
    return List.of(HostTensor.of(x.dtype(), results, sequences, width));
  }

  private static double poolColumn(
      Op.Pooling pooling, HostTensor x, int begin, int end, int column) {
    int width = x.dim(1);
    double sum = 0;
    double most = Double.NEGATIVE_INFINITY;
    for (int row = begin; row < end; row++) {
      sum += x.floatAt(row * width + column);
      most = Math.max(most, x.floatAt(row * width + column));
    }
    return switch (pooling) {
      case MEAN -> sum / (end - begin);
      case CLS -> x.floatAt(begin * width + column);
      case LAST -> x.floatAt((end - 1) * width + column);
      case MAX -> most;
    };
  }

  /** {@code starts[index]}, checked to lie between its neighbour before and {@code rows}. */
  static int start(HostTensor starts, int index, int rows) {
    long start = starts.longAt(index);
    if (start > rows || start < (index == 0 ? 0 : starts.longAt(index - 1))) {
      throw new IndexOutOfBoundsException(
          "Cannot read starts["
              + index
              + "] = "
              + start
              + ": it must not be less than the one before, nor more than "
              + rows
              + " rows");
    }
    return (int) start;
  }
}
