package dev.caldera.model.onnx;

import dev.caldera.graph.Op;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** ReduceMean; its axes are an attribute before opset 18, an operand since. */
final class ReduceMeanImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    int rank = node.type(0).shape().rank();
    Optional<List<Long>> given = axes(node);
    boolean noop = node.integer("noop_with_empty_axes", 0) != 0;
    boolean keepDims = node.integer("keepdims", 1) != 0;
    boolean empty = given.isEmpty() || given.get().isEmpty();
    if (empty && noop) {
      node.result(node.input(0));
      return;
    }
    List<Integer> axes =
        empty
            ? IntStream.range(0, rank).boxed().toList()
            : given.get().stream().map(a -> node.axis(a, rank)).sorted().distinct().toList();
    node.result(node.apply(new Op.ReduceMean(axes, keepDims), node.input(0)));
  }

  private static Optional<List<Long>> axes(NodeImport node) {
    if (node.opset() < 18) {
      return node.integers("axes");
    }
    return node.optionalInput(1).isPresent() ? Optional.of(node.numbers(1)) : Optional.empty();
  }
}
