package dev.caldera.backend.cpu;

import dev.caldera.graph.Op;
import java.util.List;

/** Operands joined along an axis. */
final class ConcatKernel extends Primitive<Op.Concat> {
  ConcatKernel() {
    super(Op.Concat.class);
  }

  @Override
  void compute(String node, Op.Concat op, RunScope scope, List<Tensor> inputs, Tensor output) {
    int total = output.dim(op.axis());
    int inner = output.product(op.axis() + 1, output.rank());
    int before = 0;
    for (Tensor x : inputs) {
      int piece = x.dim(op.axis()) * inner;
      for (int outer = 0; outer < x.product(0, op.axis()); outer++) {
        for (int i = 0; i < piece; i++) {
          output.set(outer * total * inner + before + i, x, outer * piece + i);
        }
      }
      before += piece;
    }
  }
}
