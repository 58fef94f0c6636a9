package dev.caldera.rewrite;

import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import java.util.List;
import java.util.stream.IntStream;

/** Bypasses casts, reshapes, expands and transposes that change nothing. */
public final class RemoveNoOps implements Rewrite {

  @Override
  public String name() {
    return "remove ops that change nothing";
  }

  @Override
  public Result apply(Graph graph) {
    GraphEdit edit = new GraphEdit(graph);
    for (Node before : edit.nodes()) {
      Node node = edit.producer(before.outputs().get(0)).orElseThrow();
      if (changesNothing(node) && !edit.isOutput(node.output())) {
        edit.bypass(node, node.input(0));
      }
    }
    return edit.finish();
  }

  private static boolean changesNothing(Node node) {
    if (node.op() instanceof Op.Transpose transpose) {
      List<Integer> identity = IntStream.range(0, transpose.permutation().size()).boxed().toList();
      return transpose.permutation().equals(identity);
    }
    boolean movesNothing =
        node.op() instanceof Op.Cast
            || node.op() instanceof Op.Reshape
            || node.op() instanceof Op.Expand;
    return movesNothing && node.output().type().equals(node.input(0).type());
  }
}
