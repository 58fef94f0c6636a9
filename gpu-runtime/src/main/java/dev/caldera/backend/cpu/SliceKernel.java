package dev.caldera.backend.cpu;

import dev.caldera.graph.Op;
import java.util.List;

/** A range of one axis. */
final class SliceKernel extends Primitive<Op.Slice> {
  SliceKernel() {
    super(Op.Slice.class);
  }

  @Override
  void compute(String node, Op.Slice op, RunScope scope, List<Tensor> inputs, Tensor output) {
    Tensor x = inputs.get(0);
    int start = (int) op.start().evaluate(scope.sizes());
    int inner = x.product(op.axis() + 1, x.rank());
    int whole = x.dim(op.axis()) * inner;
    int piece = output.dim(op.axis()) * inner;
    if (start < 0 || start * inner + piece > whole) {
      throw new IllegalArgumentException(
          "Cannot run node %s: a slice of %d from %d is out of range, the axis has %d"
              .formatted(node, output.dim(op.axis()), start, x.dim(op.axis())));
    }
    for (int outer = 0; outer < x.product(0, op.axis()); outer++) {
      for (int i = 0; i < piece; i++) {
        output.set(outer * piece + i, x, outer * whole + start * inner + i);
      }
    }
  }
}
