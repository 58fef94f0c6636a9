package dev.caldera.model.onnx;

import dev.caldera.graph.Op;

/** Gather. */
final class GatherImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    int axis = node.axis("axis", 0, node.type(0).shape().rank());
    node.result(node.apply(new Op.Gather(axis), node.input(0), node.input(1)));
  }
}
