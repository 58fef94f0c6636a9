package dev.caldera.backend.cpu;

import dev.caldera.graph.Op;
import java.util.List;

/** Elements broadcast to a shape. */
final class ExpandKernel extends Primitive<Op.Expand> {
  ExpandKernel() {
    super(Op.Expand.class);
  }

  @Override
  void compute(String node, Op.Expand op, RunScope scope, List<Tensor> inputs, Tensor output) {
    Tensor x = inputs.get(0);
    for (int i = 0; i < output.size(); i++) {
      output.set(i, x, x.broadcast(output, i));
    }
  }
}
