package dev.caldera.backend.cpu;

import dev.caldera.graph.Op;
import java.util.List;

/** The second operand where the first holds, else the third; all broadcast. */
final class WhereKernel extends Primitive<Op.Where> {
  WhereKernel() {
    super(Op.Where.class);
  }

  @Override
  void compute(String node, Op.Where op, RunScope scope, List<Tensor> inputs, Tensor output) {
    Tensor condition = inputs.get(0);
    for (int i = 0; i < output.size(); i++) {
      boolean holds = condition.whole(condition.broadcast(output, i)) != 0;
      Tensor chosen = inputs.get(holds ? 1 : 2);
      output.set(i, chosen, chosen.broadcast(output, i));
    }
  }
}
