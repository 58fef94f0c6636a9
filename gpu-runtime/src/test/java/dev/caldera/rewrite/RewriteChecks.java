package dev.caldera.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.graph.Graph;
import dev.caldera.graph.HostEvaluator;
import dev.caldera.graph.HostTensor;
import java.util.List;
import java.util.Map;

/** What the tests of all rewrites check. */
final class RewriteChecks {

  private RewriteChecks() {}

  /** The labels of a graph's ops, in order. */
  static List<String> ops(Graph graph) {
    return graph.nodes().stream().map(node -> node.op().label()).toList();
  }

  /** Applies a rewrite that must change the graph, and not what it computes. */
  static Graph applied(Rewrite rewrite, Graph graph, Map<String, HostTensor> inputs) {
    Rewrite.Result result = rewrite.apply(graph);
    assertThat(result.count()).isPositive();
    HostTensor before = HostEvaluator.evaluateSingle(graph, inputs);
    HostTensor after = HostEvaluator.evaluateSingle(result.graph(), inputs);
    assertThat(after.nmse(before)).isLessThan(1e-10);
    return result.graph();
  }

  /** Applies a rewrite that must leave the graph alone. */
  static void leftAlone(Rewrite rewrite, Graph graph) {
    Rewrite.Result result = rewrite.apply(graph);
    assertThat(result.count()).isZero();
    assertThat(result.graph().describe()).isEqualTo(graph.describe());
  }
}
