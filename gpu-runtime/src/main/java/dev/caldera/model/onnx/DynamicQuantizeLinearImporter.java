package dev.caldera.model.onnx;

import dev.caldera.graph.Op;

/** DynamicQuantizeLinear; see {@link Op.DynamicQuantize}. */
final class DynamicQuantizeLinearImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    node.results(node.applyAll(new Op.DynamicQuantize(), node.input(0)));
  }
}
