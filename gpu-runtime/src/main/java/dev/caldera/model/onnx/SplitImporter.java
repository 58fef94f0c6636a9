package dev.caldera.model.onnx;

import dev.caldera.graph.Dim;
import dev.caldera.graph.Op;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Split, as slices; sizes are an attribute before opset 13, an operand since, equal if neither. */
final class SplitImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    int axis = node.axis("axis", 0, node.type(0).shape().rank());
    List<Operand> parts = new ArrayList<>();
    Dim start = Dim.fixed(0);
    for (Dim size : sizes(node, node.type(0).shape().dim(axis))) {
      Dim end = Dim.sum(start, size);
      parts.add(node.apply(new Op.Slice(axis, start, end), node.input(0)));
      start = end;
    }
    node.require(
        start.equals(node.type(0).shape().dim(axis))
            && parts.size() == node.node().outputs().size(),
        "its sizes do not cover axis " + axis + " of " + node.type(0));
    node.results(parts);
  }

  private static List<Dim> sizes(NodeImport node, Dim whole) {
    int count = node.node().outputs().size();
    node.require(
        node.integer("num_outputs", count) == count, "num_outputs is not its number of outputs");
    Optional<List<Long>> attribute = node.opset() < 13 ? node.integers("split") : Optional.empty();
    if (attribute.isPresent()) {
      return attribute.get().stream().map(Dim::fixed).toList();
    }
    if (node.opset() >= 13 && node.optionalInput(1).isPresent()) {
      return node.known(1);
    }
    return Collections.nCopies(count, Dim.quotient(whole, Dim.fixed(count)));
  }
}
