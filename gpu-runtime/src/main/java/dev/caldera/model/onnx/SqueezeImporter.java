package dev.caldera.model.onnx;

import dev.caldera.graph.Dim;
import dev.caldera.graph.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Squeeze; its axes are an attribute before opset 13, an operand since. */
final class SqueezeImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    Shape shape = node.type(0).shape();
    Optional<List<Long>> given = axes(node);
    List<Integer> axes =
        given.orElse(List.of()).stream().map(a -> node.axis(a, shape.rank())).toList();
    List<Dim> dims = new ArrayList<>();
    for (int i = 0; i < shape.rank(); i++) {
      boolean isOne = shape.dim(i).equals(Dim.fixed(1));
      node.require(isOne || !axes.contains(i), "axis " + i + " of " + shape + " is not 1");
      boolean removed = given.isPresent() ? axes.contains(i) : isOne;
      if (!removed) {
        dims.add(shape.dim(i));
      }
    }
    node.result(node.reshape(node.input(0), new Shape(dims)));
  }

  private static Optional<List<Long>> axes(NodeImport node) {
    if (node.opset() < 13) {
      return node.integers("axes");
    }
    return node.optionalInput(1).isPresent() ? Optional.of(node.numbers(1)) : Optional.empty();
  }
}
