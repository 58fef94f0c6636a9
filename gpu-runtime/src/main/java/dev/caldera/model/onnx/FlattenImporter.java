package dev.caldera.model.onnx;

import dev.caldera.graph.Dim;
import dev.caldera.graph.Shape;
import java.util.List;

/** Flatten: to two dims, split before an axis. */
final class FlattenImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    List<Dim> dims = node.type(0).shape().dims();
    int axis = node.axis("axis", 1, dims.size() + 1);
    Shape rows = new Shape(dims.subList(0, axis));
    Shape columns = new Shape(dims.subList(axis, dims.size()));
    node.result(node.reshape(node.input(0), Shape.of(rows.elements(), columns.elements())));
  }
}
