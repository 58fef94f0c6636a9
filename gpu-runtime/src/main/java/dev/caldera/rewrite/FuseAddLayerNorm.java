package dev.caldera.rewrite;

import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Op.BinaryKind;
import dev.caldera.graph.Value;

/**
 * Makes {@link Op.AddLayerNorm} of a sum that only a layer normalisation reads. Where one of the
 * two summands comes from a {@link Op.Linear}, it is taken as x and the other as the residual.
 */
public final class FuseAddLayerNorm implements Rewrite {

  @Override
  public String name() {
    return "fuse residual and layer normalisation";
  }

  @Override
  public Result apply(Graph graph) {
    GraphEdit edit = new GraphEdit(graph);
    for (Node node : edit.nodes()) {
      if (node.op() instanceof Op.LayerNorm norm) {
        edit.producer(node.input(0), Patterns.binary(BinaryKind.ADD))
            .filter(sum -> edit.isUsedOnce(sum.output()))
            .filter(sum -> sum.input(0).type().equals(sum.input(1).type()))
            .ifPresent(sum -> fuse(edit, node, norm, sum));
      }
    }
    return edit.finish();
  }

  private static void fuse(GraphEdit edit, Node node, Op.LayerNorm norm, Node sum) {
    boolean swapped = isLinear(edit, sum.input(1)) && !isLinear(edit, sum.input(0));
    edit.replace(
        node,
        new Op.AddLayerNorm(norm.epsilon()),
        sum.input(swapped ? 1 : 0),
        sum.input(swapped ? 0 : 1),
        node.input(1),
        node.input(2));
  }

  private static boolean isLinear(GraphEdit edit, Value value) {
    return edit.producer(value).filter(n -> n.op() instanceof Op.Linear).isPresent();
  }
}
