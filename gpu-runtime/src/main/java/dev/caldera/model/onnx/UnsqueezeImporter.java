package dev.caldera.model.onnx;

import dev.caldera.graph.Dim;
import dev.caldera.graph.Shape;
import java.util.ArrayList;
import java.util.List;

/** Unsqueeze; its axes are an attribute before opset 13, an operand since. */
final class UnsqueezeImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    List<Long> given =
        node.opset() < 13
            ? node.integers("axes").orElseThrow(() -> node.error("attribute axes is missing"))
            : node.numbers(1);
    List<Dim> dims = new ArrayList<>(node.type(0).shape().dims());
    int rank = dims.size() + given.size();
    List<Integer> axes = given.stream().map(a -> node.axis(a, rank)).sorted().distinct().toList();
    node.require(axes.size() == given.size(), "its axes " + given + " are not distinct");
    axes.forEach(axis -> dims.add(axis, Dim.fixed(1)));
    node.result(node.reshape(node.input(0), new Shape(dims)));
  }
}
