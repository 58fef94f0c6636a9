package dev.caldera.backend.cpu;

import dev.caldera.graph.DType;
import dev.caldera.graph.Op;
import java.util.List;

/** Elements converted to another type; a float to an integer is cut towards zero. */
final class CastKernel extends Primitive<Op.Cast> {
  CastKernel() {
    super(Op.Cast.class);
  }

  @Override
  void compute(String node, Op.Cast op, RunScope scope, List<Tensor> inputs, Tensor output) {
    Tensor x = inputs.get(0);
    for (int i = 0; i < output.size(); i++) {
      if (output.dtype() == DType.BOOL) {
        output.setWhole(i, x.real(i) != 0 ? 1 : 0);
      } else if (x.dtype().isFloat()) {
        output.setReal(i, x.real(i));
      } else {
        output.setWhole(i, x.whole(i));
      }
    }
  }
}
