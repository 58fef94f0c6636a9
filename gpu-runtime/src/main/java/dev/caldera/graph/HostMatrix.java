package dev.caldera.graph;

import java.util.Arrays;
import java.util.List;

/** Host rules of the matrix products. */
final class HostMatrix {

  private HostMatrix() {}

  static void register(HostEvaluator.Registry registry) {
    registry.add(Op.MatMul.class, (op, in) -> matMul(in.get(0), in.get(1)));
    registry.add(Op.Linear.class, HostMatrix::linear);
    registry.add(Op.MatMulInteger.class, (op, in) -> matMulInteger(in));
  }

  private static List<HostTensor> matMul(HostTensor left, HostTensor right) {
    int rows = left.dim(-2);
    int inner = left.dim(-1);
    int columns = right.dim(-1);
    long[] leftBatch = Arrays.copyOf(left.dims(), left.rank() - 2);
    long[] rightBatch = Arrays.copyOf(right.dims(), right.rank() - 2);
    long[] batch = HostIndex.broadcastDims(leftBatch, rightBatch);
    int[] lefts = HostIndex.broadcast(leftBatch, batch);
    int[] rights = HostIndex.broadcast(rightBatch, batch);
    long[] dims = Arrays.copyOf(batch, batch.length + 2);
    dims[batch.length] = rows;
    dims[batch.length + 1] = columns;
    double[] results = new double[HostTensor.elements(dims)];
    for (int b = 0; b < lefts.length; b++) {
      for (int m = 0; m < rows; m++) {
        int at = (b * rows + m) * columns;
        for (int k = 0; k < inner; k++) {
          double x = left.floatAt((lefts[b] * rows + m) * inner + k);
          int row = (rights[b] * inner + k) * columns;
          for (int n = 0; n < columns; n++) {
            results[at + n] += x * right.floatAt(row + n);
          }
        }
      }
    }
    return List.of(HostTensor.of(left.dtype(), results, dims));
  }

  private static List<HostTensor> linear(Op.Linear op, List<HostTensor> in) {
    HostTensor x = in.get(0);
    HostTensor weight = in.get(1);
    HostTensor bias = in.get(2);
    int inner = weight.dim(0);
    int columns = weight.dim(1);
    int rows = HostIndex.product(x.dims(), 0, x.rank() - 1);
    double[] results = new double[Math.multiplyExact(rows, columns)];
    for (int m = 0; m < rows; m++) {
      for (int k = 0; k < inner; k++) {
        double value = x.floatAt(m * inner + k);
        for (int n = 0; n < columns; n++) {
          results[m * columns + n] += value * weight.floatAt(k * columns + n);
        }
      }
      for (int n = 0; n < columns; n++) {
        int at = m * columns + n;
        results[at] = SpecialFunctions.activate(op.activation(), results[at] + bias.floatAt(n));
      }
    }
    long[] dims = x.dims();
    dims[dims.length - 1] = columns;
    return List.of(HostTensor.of(x.dtype(), results, dims));
  }

  private static List<HostTensor> matMulInteger(List<HostTensor> in) {
    HostTensor a = in.get(0);
    HostTensor b = in.get(1);
    int inner = b.dim(0);
    int columns = b.dim(1);
    int rows = HostIndex.product(a.dims(), 0, a.rank() - 1);
    long[] results = new long[Math.multiplyExact(rows, columns)];
    for (int m = 0; m < rows; m++) {
      for (int k = 0; k < inner; k++) {
        long x = a.longAt(m * inner + k) - in.get(2).longAt(0);
        for (int n = 0; n < columns; n++) {
          long zero = in.get(3).longAt(in.get(3).rank() == 0 ? 0 : n);
          results[m * columns + n] += x * (b.longAt(k * columns + n) - zero);
        }
      }
    }
    long[] dims = a.dims();
    dims[dims.length - 1] = columns;
    return List.of(HostTensor.integers(DType.I32, results, dims));
  }
}
