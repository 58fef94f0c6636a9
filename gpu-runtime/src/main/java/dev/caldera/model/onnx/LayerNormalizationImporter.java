package dev.caldera.model.onnx;

import dev.caldera.graph.Dim;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;

/** LayerNormalization over the last axis. */
final class LayerNormalizationImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    int rank = node.type(0).shape().rank();
    node.require(
        node.axis("axis", -1, rank) == rank - 1, "an axis other than the last is not supported");
    node.integer("stash_type", 1);
    Operand beta = node.optionalInput(2).orElseGet(() -> zeros(node));
    node.result(
        node.apply(
            new Op.LayerNorm(node.decimal("epsilon", 1e-5f)), node.input(0), node.input(1), beta));
  }

  private static Operand zeros(NodeImport node) {
    if (node.type(0).shape().dim(-1) instanceof Dim.Fixed width) {
      int size = Math.toIntExact(width.size());
      return node.constant(HostTensor.floats(new float[size], size));
    }
    throw node.error("a last axis of open size is not supported");
  }
}
