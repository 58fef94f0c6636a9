package dev.caldera.plan;

import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import java.util.Optional;

/** What planning asks of a backend: which kernel runs a node, and how its operands must stand. */
public interface KernelCatalog {

  /** The kernel for {@code node}; empty when this backend has none for it. */
  Optional<KernelChoice> choose(Graph graph, Node node);
}
