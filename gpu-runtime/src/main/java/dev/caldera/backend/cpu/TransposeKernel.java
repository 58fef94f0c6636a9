package dev.caldera.backend.cpu;

import dev.caldera.graph.Op;
import java.util.List;

/** Dims permuted. */
final class TransposeKernel extends Primitive<Op.Transpose> {
  TransposeKernel() {
    super(Op.Transpose.class);
  }

  @Override
  void compute(String node, Op.Transpose op, RunScope scope, List<Tensor> inputs, Tensor output) {
    Tensor x = inputs.get(0);
    int[] strides = new int[x.rank()];
    for (int axis = 0; axis < x.rank(); axis++) {
      strides[axis] = x.product(op.permutation().get(axis) + 1, x.rank());
    }
    for (int i = 0; i < output.size(); i++) {
      int source = 0;
      int rest = i;
      for (int axis = output.rank() - 1; axis >= 0; axis--) {
        source += rest % output.dim(axis) * strides[axis];
        rest /= output.dim(axis);
      }
      output.set(i, x, source);
    }
  }
}
