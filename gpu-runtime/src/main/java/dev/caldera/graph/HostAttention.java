package dev.caldera.graph;

import java.util.List;
import java.util.function.IntPredicate;

/** Host rules of the two attention ops. */
final class HostAttention {

  private HostAttention() {}

  static void register(HostEvaluator.Registry registry) {
    registry.add(Op.MaskedAttention.class, HostAttention::masked);
    registry.add(Op.PackedAttention.class, HostAttention::packed);
  }

  /**
   * Where a head's vectors lie.
   *
   * @param stride elements between the vectors of one row and the next
   * @param offset of the head's first element in a row
   */
  private record Heads(HostTensor tensor, int stride, int offset) {
    double at(int row, int index) {
      return tensor.floatAt(row * stride + offset + index);
    }
  }

  private static List<HostTensor> masked(Op.MaskedAttention op, List<HostTensor> in) {
    int batch = in.get(0).dim(0);
    int sequence = in.get(0).dim(1);
    int width = in.get(0).dim(2);
    HostTensor mask = in.get(3);
    double[] results = new double[in.get(0).size()];
    for (int head = 0; head < op.heads(); head++) {
      int offset = head * op.headSize();
      Heads q = new Heads(in.get(0), width, offset);
      Heads k = new Heads(in.get(1), width, offset);
      Heads v = new Heads(in.get(2), width, offset);
      for (int b = 0; b < batch; b++) {
        int begin = b * sequence;
        for (int row = begin; row < begin + sequence; row++) {
          double[] result =
              attend(
                  q,
                  k,
                  v,
                  row,
                  begin,
                  begin + sequence,
                  op.scale(),
                  op.headSize(),
                  key -> mask.floatAt(key) != 0);
          System.arraycopy(result, 0, results, row * width + offset, op.headSize());
        }
      }
    }
    return List.of(HostTensor.of(in.get(0).dtype(), results, in.get(0).dims()));
  }

  private static List<HostTensor> packed(Op.PackedAttention op, List<HostTensor> in) {
    HostTensor qkv = in.get(0);
    HostTensor starts = in.get(1);
    int tokens = qkv.dim(0);
    int width = qkv.dim(1) / 3;
    double[] results = new double[tokens * width];
    for (int head = 0; head < op.heads(); head++) {
      int offset = head * op.headSize();
      Heads q = new Heads(qkv, 3 * width, offset);
      Heads k = new Heads(qkv, 3 * width, width + offset);
      Heads v = new Heads(qkv, 3 * width, 2 * width + offset);
      for (int s = 0; s + 1 < starts.size(); s++) {
        int begin = HostRows.start(starts, s, tokens);
        int end = HostRows.start(starts, s + 1, tokens);
        for (int row = begin; row < end; row++) {
          double[] result =
              attend(q, k, v, row, begin, end, op.scale(), op.headSize(), key -> true);
          System.arraycopy(result, 0, results, row * width + offset, op.headSize());
        }
      }
    }
    return List.of(HostTensor.of(qkv.dtype(), results, tokens, width));
  }

  /** The attention of one row over the keys in [begin, end) that are visible. */
  private static double[] attend(
      Heads q,
      Heads k,
      Heads v,
      int row,
      int begin,
      int end,
      double scale,
      int headSize,
      IntPredicate visible) {
    double[] scores = new double[end - begin];
    double most = Double.NEGATIVE_INFINITY;
    for (int key = begin; key < end; key++) {
      double product = 0;
      for (int i = 0; i < headSize; i++) {
        product += q.at(row, i) * k.at(key, i);
      }
      scores[key - begin] = visible.test(key) ? product * scale : Double.NEGATIVE_INFINITY;
      most = Math.max(most, scores[key - begin]);
    }
    double[] result = new double[headSize];
    if (most == Double.NEGATIVE_INFINITY) {
      return result;
    }
    double sum = 0;
    for (int key = begin; key < end; key++) {
      double weight = Math.exp(scores[key - begin] - most);
      sum += weight;
      for (int i = 0; i < headSize; i++) {
        result[i] += weight * v.at(key, i);
      }
    }
    for (int i = 0; i < headSize; i++) {
      result[i] /= sum;
    }
    return result;
  }
}
