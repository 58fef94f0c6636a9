package dev.caldera.model.onnx;

import dev.caldera.graph.Op;
import java.util.stream.IntStream;

/** Concat. */
final class ConcatImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    node.require(node.attribute("axis").isPresent(), "attribute axis is missing");
    int axis = node.axis("axis", 0, node.type(0).shape().rank());
    Operand[] operands =
        IntStream.range(0, node.inputs()).mapToObj(node::input).toArray(Operand[]::new);
    node.result(node.apply(new Op.Concat(axis), operands));
  }
}
