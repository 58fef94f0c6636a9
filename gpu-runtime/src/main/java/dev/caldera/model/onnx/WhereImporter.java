package dev.caldera.model.onnx;

import dev.caldera.graph.Op;

/** Where. */
final class WhereImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    node.result(node.apply(new Op.Where(), node.input(0), node.input(1), node.input(2)));
  }
}
