package dev.caldera.backend.cpu;

import dev.caldera.graph.Op;
import java.util.List;

/** The mean over some axes. */
final class ReduceMeanKernel extends Primitive<Op.ReduceMean> {
  ReduceMeanKernel() {
    super(Op.ReduceMean.class);
  }

  @Override
  void compute(String node, Op.ReduceMean op, RunScope scope, List<Tensor> inputs, Tensor output) {
    Tensor x = inputs.get(0);
    double[] sums = new double[output.size()];
    for (int i = 0; i < x.size(); i++) {
      sums[kept(op, x, i)] += x.real(i);
    }
    double count = sums.length == 0 ? 1 : (double) x.size() / sums.length;
    for (int i = 0; i < sums.length; i++) {
      output.setReal(i, sums[i] / count);
    }
  }

  /** The index of an element among those that differ in the kept axes. */
  private static int kept(Op.ReduceMean op, Tensor x, int index) {
    int result = 0;
    int stride = 1;
    int rest = index;
    for (int axis = x.rank() - 1; axis >= 0; axis--) {
      if (!op.axes().contains(axis)) {
        result += rest % x.dim(axis) * stride;
        stride *= x.dim(axis);
      }
      rest /= x.dim(axis);
    }
    return result;
  }
}
