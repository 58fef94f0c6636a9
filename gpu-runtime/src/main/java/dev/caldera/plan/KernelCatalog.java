package dev.caldera.plan;

import dev.caldera.graph.DType;
import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import java.util.Optional;

/** What planning asks of a backend: which kernel runs a node, and how its operands must stand. */
public interface KernelCatalog {

  /** The kernel for {@code node}; empty when this backend has none for it. */
  Optional<KernelChoice> choose(Graph graph, Node node);

  /**
   * The name of the kernel that rewrites a tensor from one layout into another. Every backend whose
   * kernels take or write a layout besides row-major provides it for each such layout, both from
   * and to row-major; planning then inserts a step whose op is {@link
   * dev.caldera.graph.Op.ConvertLayout}, with one input operand in {@code from} and one output
   * operand in {@code to}. Each operand carries its own capacity in rows, which is its block
   * stride.
   *
   * @return empty when this backend cannot convert so
   */
  default Optional<String> convert(DType dtype, Layout from, Layout to) {
    return Optional.empty();
  }
}
