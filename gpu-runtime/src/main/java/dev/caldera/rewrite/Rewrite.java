package dev.caldera.rewrite;

import dev.caldera.graph.Graph;

/**
 * A change of a graph that keeps what it computes.
 *
 * <p>A rewrite checks all that it assumes and leaves alone what it does not recognise.
 */
public interface Rewrite {

  /** What it does, in one line. */
  String name();

  /**
   * Applies it wherever it can.
   *
   * @throws IllegalArgumentException naming the node, if the graph cannot be what the rewrite needs
   *     (only rewrites that later steps depend on)
   */
  Result apply(Graph graph);

  /**
   * The new graph.
   *
   * @param count how often the rewrite was applied; 0 if the graph is as it was
   */
  record Result(Graph graph, int count) {}
}
