package dev.caldera.backend.vulkan;

import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.plan.KernelChoice;
import dev.caldera.plan.Layout;
import dev.caldera.plan.Step;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A kernel of one op, under the op's name, that needs no scratch and writes row-major. */
abstract class PlainKernel<T extends Op> implements VulkanKernel {
  private final Class<T> op;

  PlainKernel(Class<T> op) {
    this.op = op;
  }

  /** Whether the element types and shapes of a node of this kernel's op are ones it takes. */
  abstract boolean takes(Node node);

  /** As {@link VulkanKernel#prepare}, for operands in the layouts of {@link #layout}. */
  abstract StepRecorder prepare(T op, Operands operands, Pipelines pipelines);

  /** How input {@code index} must stand. */
  Layout layout(int index) {
    return Layout.rowMajor();
  }

  @Override
  public final String name() {
    return op.getSimpleName();
  }

  @Override
  public final Optional<KernelChoice> choose(Graph graph, Node node) {
    if (!op.isInstance(node.op()) || !takes(node)) {
      return Optional.empty();
    }
    return Optional.of(
        new KernelChoice(
            name(),
            layouts(node.inputs().size()),
            Collections.nCopies(node.outputs().size(), Layout.rowMajor()),
            sizes -> 0));
  }

  @Override
  public final StepRecorder prepare(Step step, Pipelines pipelines) {
    Operands operands = new Operands(step);
    operands.checkLayouts(layouts(step.inputs().size()));
    return prepare(op.cast(step.op()), operands, pipelines);
  }

  private List<Layout> layouts(int inputs) {
    return IntStream.range(0, inputs).mapToObj(this::layout).toList();
  }
}
