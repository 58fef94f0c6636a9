package dev.caldera.plan;

import dev.caldera.graph.DType;
import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import java.util.Collections;
import java.util.Optional;
import java.util.function.Function;

/** Kernels for every op, with layouts and scratch as a test wants them. */
final class Catalog implements KernelCatalog {
  Function<Op, Layout> inputLayouts = op -> Layout.rowMajor();
  Function<Op, Layout> outputLayouts = op -> Layout.rowMajor();
  long scratchPerToken;

  @Override
  public Optional<KernelChoice> choose(Graph graph, Node node) {
    Op op = node.op();
    return Optional.of(
        new KernelChoice(
            "plain " + op.label(),
            Collections.nCopies(node.inputs().size(), inputLayouts.apply(op)),
            Collections.nCopies(node.outputs().size(), outputLayouts.apply(op)),
            bucket -> scratchPerToken * bucket.getOrDefault("tokens", 0L)));
  }

  @Override
  public Optional<String> convert(DType dtype, Layout from, Layout to) {
    return Optional.of("convert " + dtype);
  }
}
