package dev.caldera.model.onnx;

import dev.caldera.graph.Op;
import java.util.List;
import java.util.stream.LongStream;

/** Transpose; without a permutation the dims are reversed. */
final class TransposeImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    int rank = node.type(0).shape().rank();
    List<Long> reversed = LongStream.range(0, rank).map(i -> rank - 1 - i).boxed().toList();
    List<Integer> permutation =
        node.integers("perm").orElse(reversed).stream().map(a -> node.axis(a, rank)).toList();
    node.result(node.apply(new Op.Transpose(permutation), node.input(0)));
  }
}
