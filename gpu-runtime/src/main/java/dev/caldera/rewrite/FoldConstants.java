package dev.caldera.rewrite;

import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.HostEvaluator;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.TensorType;
import dev.caldera.graph.Value;
import java.util.List;
import java.util.Map;

/**
 * Evaluates nodes over constants. A node that makes much of little, such as an Expand, is left
 * alone, so that folding does not fill the memory.
 */
public final class FoldConstants implements Rewrite {

  private static final long ALWAYS_FOLDED_ELEMENTS = 1 << 16;

  @Override
  public String name() {
    return "fold constants";
  }

  @Override
  public Result apply(Graph graph) {
    GraphEdit edit = new GraphEdit(graph);
    for (Node node : edit.nodes()) {
      if (node.inputs().stream().allMatch(edit::isConstant)
          && node.outputs().stream().noneMatch(edit::isOutput)
          && hasNumbersOnly(node)
          && isSmallEnough(node)) {
        List<HostTensor> operands =
            node.inputs().stream().map(v -> edit.constant(v).orElseThrow()).toList();
        edit.fold(node, HostEvaluator.apply(node.name(), node.op(), Map.of(), operands));
      }
    }
    return edit.finish();
  }

  private static boolean hasNumbersOnly(Node node) {
    if (node.op() instanceof Op.Slice slice) {
      return slice.start() instanceof Dim.Fixed && slice.end() instanceof Dim.Fixed;
    }
    return node.outputs().stream().allMatch(v -> v.type().shape().isFixed());
  }

  private static boolean isSmallEnough(Node node) {
    long largest = node.inputs().stream().mapToLong(FoldConstants::elements).max().orElse(0);
    long made = node.outputs().stream().mapToLong(FoldConstants::elements).sum();
    return made <= Math.max(ALWAYS_FOLDED_ELEMENTS, Math.multiplyExact(2, largest));
  }

  private static long elements(Value value) {
    TensorType type = value.type();
    return type.shape().elements().evaluate(Map.of());
  }
}
