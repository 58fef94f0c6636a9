package dev.caldera.rewrite;

import dev.caldera.graph.Graph;

/** Drops nodes and constants that no output needs. */
public final class DeadCode implements Rewrite {

  @Override
  public String name() {
    return "drop dead code";
  }

  @Override
  public Result apply(Graph graph) {
    Graph live = new GraphEdit(graph).build();
    int dropped =
        graph.nodes().size()
            - live.nodes().size()
            + graph.constants().size()
            - live.constants().size();
    return new Result(live, dropped);
  }
}
