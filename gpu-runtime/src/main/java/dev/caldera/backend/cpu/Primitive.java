package dev.caldera.backend.cpu;

import dev.caldera.graph.DType;
import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Value;
import dev.caldera.plan.KernelChoice;
import dev.caldera.plan.Step;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A kernel over row-major tensors, an element at a time: right for every size, not made for speed.
 * Rewrites replace these ops by fused ones wherever time goes.
 *
 * @param <T> the op
 */
abstract class Primitive<T extends Op> implements CpuKernel {
  private final Class<T> op;

  Primitive(Class<T> op) {
    this.op = op;
  }

  @Override
  public final Class<T> op() {
    return op;
  }

  @Override
  public final Optional<KernelChoice> choose(Graph graph, Node node) {
    boolean half =
        Stream.concat(node.inputs().stream(), node.outputs().stream())
            .map(Value::type)
            .anyMatch(type -> type.dtype() == DType.F16 || type.dtype() == DType.BF16);
    return half ? Optional.empty() : CpuKernel.rowMajor("row-major " + node.op().label(), node);
  }

  @Override
  public final StepRun prepare(Step step, StepPlaces places) {
    T attributes = op.cast(step.op());
    return scope -> {
      List<Tensor> inputs = places.inputs().stream().map(p -> p.tensor(scope)).toList();
      compute(step.node(), attributes, scope, inputs, places.output().tensor(scope));
    };
  }

  /**
   * Computes the output.
   *
   * @param node for messages
   */
  abstract void compute(String node, T op, RunScope scope, List<Tensor> inputs, Tensor output);
}
