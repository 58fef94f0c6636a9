package dev.caldera.model.onnx;

import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;

/** MatMulInteger with one zero point for A, and one or one a column for B. */
final class MatMulIntegerImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    Operand aZero = zeroPoint(node, 2, node.type(0).dtype());
    Operand bZero = zeroPoint(node, 3, node.type(1).dtype());
    node.result(node.apply(new Op.MatMulInteger(), node.input(0), node.input(1), aZero, bZero));
  }

  private static Operand zeroPoint(NodeImport node, int index, DType dtype) {
    Operand zero =
        node.optionalInput(index)
            .orElseGet(() -> node.constant(HostTensor.integers(dtype, new long[] {0})));
    boolean single = zero.type().shape().equals(Shape.of(Dim.fixed(1)));
    return single ? node.reshape(zero, Shape.of()) : zero;
  }
}
