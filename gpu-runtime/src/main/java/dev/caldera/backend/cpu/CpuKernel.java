package dev.caldera.backend.cpu;

import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.plan.KernelChoice;
import dev.caldera.plan.Layout;
import dev.caldera.plan.Step;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** The implementation of one op: what it wishes of a plan, and how it runs a step. */
interface CpuKernel {

  /** The op it implements. */
  Class<? extends Op> op();

  /** Layouts and scratch for a node; empty if it cannot take the node's types or sizes. */
  Optional<KernelChoice> choose(Graph graph, Node node);

  /**
   * Makes a step runnable, once for each plan.
   *
   * @param places where the step's operands lie
   * @throws IllegalArgumentException if it cannot take the step's sizes; names the limit
   */
  StepRun prepare(Step step, StepPlaces places);

  /** The choice of a kernel whose operands are all row-major and which needs no scratch. */
  static Optional<KernelChoice> rowMajor(String kernel, Node node) {
    return choice(kernel, repeat(node.inputs().size()), repeat(node.outputs().size()), b -> 0);
  }

  /** A choice. */
  static Optional<KernelChoice> choice(
      String kernel,
      List<Layout> inputs,
      List<Layout> outputs,
      ToLongFunction<Map<String, Long>> scratchBytes) {
    return Optional.of(new KernelChoice(kernel, inputs, outputs, scratchBytes));
  }

  private static List<Layout> repeat(int count) {
    return Collections.nCopies(count, Layout.rowMajor());
  }
}
