package dev.caldera.rewrite;

import dev.caldera.graph.HostEvaluator;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A value as a function of one other value, element by element: what lies between them are unary
 * and binary ops over float numbers only.
 *
 * @param interior the nodes between, the last one included
 */
record PointwiseFunction(GraphEdit edit, Value x, Value y, Set<Node> interior) {

  private static final int MAX_NODES = 16;

  /** The function; empty if y depends on anything but x and numbers. */
  static Optional<PointwiseFunction> between(GraphEdit edit, Value x, Value y) {
    PointwiseFunction function = new PointwiseFunction(edit, x, y, new LinkedHashSet<>());
    return x.type().equals(y.type()) && !x.equals(y) && function.collect(y)
        ? Optional.of(function)
        : Optional.empty();
  }

  private boolean collect(Value value) {
    if (value.equals(x) || edit.scalar(value).isPresent()) {
      return true;
    }
    Optional<Node> node =
        edit.producer(value)
            .filter(n -> n.op() instanceof Op.Unary || n.op() instanceof Op.Binary)
            .filter(n -> n.output().type().dtype().isFloat());
    if (node.isEmpty() || (interior.add(node.get()) && interior.size() > MAX_NODES)) {
      return false;
    }
    return node.get().inputs().stream().allMatch(this::collect);
  }

  /** y at some x. */
  float[] at(float... points) {
    return at(y, HostTensor.floats(points, points.length)).toFloats();
  }

  private HostTensor at(Value value, HostTensor points) {
    if (value.equals(x)) {
      return points;
    }
    if (edit.scalar(value).isPresent()) {
      return HostTensor.floats(new float[] {(float) edit.scalar(value).getAsDouble()});
    }
    Node node = edit.producer(value).orElseThrow();
    List<HostTensor> operands = new ArrayList<>();
    for (Value operand : node.inputs()) {
      operands.add(at(operand, points));
    }
    return HostEvaluator.apply(node.op(), operands.toArray(HostTensor[]::new));
  }
}
