package dev.caldera.backend.cpu;

import dev.caldera.graph.Op;
import java.util.List;

/** softmax(scale q k^T) v a head, over the keys whose mask is 1; zeros where there is none. */
final class MaskedAttentionKernel extends Primitive<Op.MaskedAttention> {
  MaskedAttentionKernel() {
    super(Op.MaskedAttention.class);
  }

  @Override
  void compute(
      String node, Op.MaskedAttention op, RunScope scope, List<Tensor> inputs, Tensor output) {
    Tensor q = inputs.get(0);
    int keys = q.dim(1);
    double[] weights = new double[keys];
    for (int batch = 0; batch < q.dim(0); batch++) {
      for (int head = 0; head < op.heads(); head++) {
        for (int query = 0; query < keys; query++) {
          weigh(op, inputs, batch, head, query, weights);
          sum(op, inputs.get(2), batch, head, query, weights, output);
        }
      }
    }
  }

  private static void weigh(
      Op.MaskedAttention op,
      List<Tensor> inputs,
      int batch,
      int head,
      int query,
      double[] weights) {
    Tensor q = inputs.get(0);
    Tensor k = inputs.get(1);
    Tensor mask = inputs.get(3);
    int keys = weights.length;
    double maximum = Double.NEGATIVE_INFINITY;
    for (int key = 0; key < keys; key++) {
      double score = Double.NEGATIVE_INFINITY;
      if (mask.real(batch * keys + key) != 0) {
        score = 0;
        for (int i = 0; i < op.headSize(); i++) {
          score +=
              q.real(place(op, keys, batch, query, head) + i)
                  * k.real(place(op, keys, batch, key, head) + i);
        }
        score *= op.scale();
        maximum = Math.max(maximum, score);
      }
      weights[key] = score;
    }
    double sum = 0;
    for (int key = 0; key < keys; key++) {
      weights[key] =
          weights[key] == Double.NEGATIVE_INFINITY ? 0 : Math.exp(weights[key] - maximum);
      sum += weights[key];
    }
    for (int key = 0; key < keys; key++) {
      weights[key] = sum == 0 ? 0 : weights[key] / sum;
    }
  }

  private static void sum(
      Op.MaskedAttention op,
      Tensor v,
      int batch,
      int head,
      int query,
      double[] weights,
      Tensor output) {
    int keys = weights.length;
    for (int i = 0; i < op.headSize(); i++) {
      double sum = 0;
      for (int key = 0; key < keys; key++) {
        if (weights[key] != 0) {
          sum += weights[key] * v.real(place(op, keys, batch, key, head) + i);
        }
      }
      output.setReal(place(op, keys, batch, query, head) + i, sum);
    }
  }

  private static int place(Op.MaskedAttention op, int rows, int batch, int row, int head) {
    return ((batch * rows + row) * op.heads() + head) * op.headSize();
  }
}
