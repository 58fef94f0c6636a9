package dev.caldera.backend.cpu;

import dev.caldera.graph.Op;
import java.util.List;

/** exp(x - maximum) over its sum, along one axis. */
final class SoftmaxKernel extends Primitive<Op.Softmax> {
  SoftmaxKernel() {
    super(Op.Softmax.class);
  }

  @Override
  void compute(String node, Op.Softmax op, RunScope scope, List<Tensor> inputs, Tensor output) {
    Tensor x = inputs.get(0);
    int count = x.dim(op.axis());
    int inner = x.product(op.axis() + 1, x.rank());
    double[] values = new double[count];
    for (int outer = 0; outer < x.product(0, op.axis()); outer++) {
      for (int i = 0; i < inner; i++) {
        int at = outer * count * inner + i;
        double maximum = Double.NEGATIVE_INFINITY;
        for (int j = 0; j < count; j++) {
          maximum = Math.max(maximum, x.real(at + j * inner));
        }
        double sum = 0;
        for (int j = 0; j < count; j++) {
          values[j] = Math.exp(x.real(at + j * inner) - maximum);
          sum += values[j];
        }
        for (int j = 0; j < count; j++) {
          output.setReal(at + j * inner, values[j] / sum);
        }
      }
    }
  }
}
