package dev.caldera.model.onnx;

import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;

/** Expand: the operand and the shape broadcast to each other. */
final class ExpandImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    Shape shape = node.type(0).shape().broadcast(new Shape(node.known(1)));
    Operand x = node.input(0);
    node.result(x.type().shape().equals(shape) ? x : node.apply(new Op.Expand(shape), x));
  }
}
