package dev.caldera.model.onnx;

import dev.caldera.graph.Dim;
import java.util.List;

/** Shape: the dims of its operand, or some of them (opset 15). */
final class ShapeImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    List<Dim> dims = node.type(0).shape().dims();
    int start = clamp(node.integer("start", 0), dims.size());
    int end = clamp(node.integer("end", dims.size()), dims.size());
    List<Dim> some = dims.subList(Math.min(start, end), end);
    node.result(node.known(SymbolicTensor.vector(some)));
  }

  private static int clamp(long axis, int rank) {
    return (int) Math.max(0, Math.min(rank, axis < 0 ? axis + rank : axis));
  }
}
