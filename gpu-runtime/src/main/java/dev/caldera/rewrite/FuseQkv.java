package dev.caldera.rewrite;

import dev.caldera.graph.Activation;
import dev.caldera.graph.Graph;
import dev.caldera.graph.HostEvaluator;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Value;
import java.util.List;

/**
 * Makes one {@link Op.Linear} of several over one input whose results stand side by side: q, k and
 * v before a {@link Op.PackedAttention}.
 */
public final class FuseQkv implements Rewrite {

  @Override
  public String name() {
    return "fuse q, k and v";
  }

  @Override
  public Result apply(Graph graph) {
    GraphEdit edit = new GraphEdit(graph);
    for (Node node : edit.nodes()) {
      if (node.op().equals(new Op.Concat(1)) && node.output().type().shape().rank() == 2) {
        fuse(edit, node);
      }
    }
    return edit.finish();
  }

  private static void fuse(GraphEdit edit, Node concat) {
    List<Node> linears =
        concat.inputs().stream()
            .flatMap(v -> edit.producer(v, new Op.Linear(Activation.NONE)).stream())
            .filter(n -> edit.isUsedOnce(n.output()))
            .filter(n -> edit.isConstant(n.input(1)) && edit.isConstant(n.input(2)))
            .toList();
    boolean together =
        linears.size() == concat.inputs().size()
            && linears.stream().allMatch(n -> n.input(0).equals(linears.get(0).input(0)));
    if (together) {
      edit.replace(
          concat,
          new Op.Linear(Activation.NONE),
          linears.get(0).input(0),
          join(edit, concat.name() + ".weight", linears, 1),
          join(edit, concat.name() + ".bias", linears, 2));
    }
  }

  /** Operand {@code index} of all, joined along its last axis. */
  private static Value join(GraphEdit edit, String name, List<Node> linears, int index) {
    HostTensor[] parts =
        linears.stream()
            .map(n -> edit.constant(n.input(index)).orElseThrow())
            .toArray(HostTensor[]::new);
    return edit.addConstant(name, HostEvaluator.apply(new Op.Concat(parts[0].rank() - 1), parts));
  }
}
