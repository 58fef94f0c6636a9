package dev.caldera.model.onnx;

import dev.caldera.graph.DType;
import dev.caldera.graph.Op;

/** Cast. */
final class CastImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    node.integer("saturate", 1);
    DType to =
        OnnxTypes.dtype(node.integer("to", 0), () -> "node " + node.node().name() + ", op Cast");
    Operand x = node.input(0);
    node.result(x.type().dtype() == to ? x : node.apply(new Op.Cast(to), x));
  }
}
