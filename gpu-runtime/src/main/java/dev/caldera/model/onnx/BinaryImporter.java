package dev.caldera.model.onnx;

import dev.caldera.graph.Op;

/** Add, And, Div, Equal, .. of two operands; Max and Min of one or more. */
record BinaryImporter(Op.BinaryKind kind) implements OpImporter {

  @Override
  public void run(NodeImport node) {
    Operand result = node.input(0);
    for (int i = 1; i < node.inputs(); i++) {
      result = node.apply(new Op.Binary(kind), result, node.input(i));
    }
    node.result(result);
  }
}
