package dev.caldera.model.onnx;

import dev.caldera.graph.Op;

/**
 * Erf, Exp, Neg, Not, Reciprocal, Relu, Sigmoid, Sqrt, Tanh: pointwise functions of one operand.
 */
record UnaryImporter(Op.UnaryKind kind) implements OpImporter {

  @Override
  public void run(NodeImport node) {
    node.result(node.apply(new Op.Unary(kind), node.input(0)));
  }
}
