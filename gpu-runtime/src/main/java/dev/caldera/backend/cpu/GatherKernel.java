package dev.caldera.backend.cpu;

import dev.caldera.graph.Op;
import java.util.List;

/** Slices along an axis, picked by indices; a negative index counts from the end. */
final class GatherKernel extends Primitive<Op.Gather> {
  GatherKernel() {
    super(Op.Gather.class);
  }

  @Override
  void compute(String node, Op.Gather op, RunScope scope, List<Tensor> inputs, Tensor output) {
    Tensor data = inputs.get(0);
    Tensor indices = inputs.get(1);
    int rows = data.dim(op.axis());
    int inner = data.product(op.axis() + 1, data.rank());
    int count = indices.size();
    for (int outer = 0; outer < data.product(0, op.axis()); outer++) {
      for (int j = 0; j < count; j++) {
        long index = indices.whole(j);
        if (index < -rows || index >= rows) {
          throw new IllegalArgumentException(
              "Cannot run node %s: index %d is out of range, expected %d to %d"
                  .formatted(node, index, -rows, rows - 1));
        }
        int row = (int) (index < 0 ? index + rows : index);
        for (int i = 0; i < inner; i++) {
          output.set((outer * count + j) * inner + i, data, (outer * rows + row) * inner + i);
        }
      }
    }
  }
}
