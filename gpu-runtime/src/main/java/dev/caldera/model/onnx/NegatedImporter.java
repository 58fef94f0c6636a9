package dev.caldera.model.onnx;

import dev.caldera.graph.Op;

/** GreaterOrEqual and LessOrEqual: not less, not greater. Operands are taken not to be NaN. */
record NegatedImporter(Op.BinaryKind kind) implements OpImporter {

  @Override
  public void run(NodeImport node) {
    Operand compared = node.apply(new Op.Binary(kind), node.input(0), node.input(1));
    node.result(node.apply(new Op.Unary(Op.UnaryKind.NOT), compared));
  }
}
