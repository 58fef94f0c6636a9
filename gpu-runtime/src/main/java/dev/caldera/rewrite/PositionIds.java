package dev.caldera.rewrite;

import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The values of a padded graph that count the positions of a sequence: slices of a constant of
 * consecutive numbers up to the sequence's length, and what reshapes, expands and casts make of
 * them.
 */
final class PositionIds {

  private PositionIds() {}

  /** The first position's number, by value. */
  static Map<Value, Long> find(Graph graph, Dim sequence) {
    Map<Value, Long> found = new HashMap<>();
    for (Node node : graph.nodes()) {
      Value input = node.inputs().isEmpty() ? node.output() : node.input(0);
      if (node.op() instanceof Op.Slice slice) {
        first(graph, node, slice, sequence).ifPresent(n -> found.put(node.output(), n));
      } else if ((node.op() instanceof Op.Reshape
              || node.op() instanceof Op.Expand
              || node.op() instanceof Op.Cast)
          && found.containsKey(input)
          && !node.output().type().dtype().isFloat()
          && node.output().type().shape().columns().equals(sequence)) {
        found.put(node.output(), found.getOrDefault(input, 0L));
      }
    }
    return found;
  }

  private static OptionalLong first(Graph graph, Node node, Op.Slice slice, Dim sequence) {
    Value table = node.input(0);
    boolean alongRows =
        graph.constants().containsKey(table)
            && !table.type().dtype().isFloat()
            && slice.axis() == table.type().shape().rank() - 1
            && table.type().shape().rows().equals(Dim.fixed(1))
            && node.output().type().shape().columns().equals(sequence);
    if (!alongRows || !(slice.start() instanceof Dim.Fixed start)) {
      return OptionalLong.empty();
    }
    HostTensor numbers =
        HostTensor.read(table.type(), Objects.requireNonNull(graph.constants().get(table)));
    for (int i = 1; i < numbers.size(); i++) {
      if (numbers.longAt(i) != numbers.longAt(0) + i) {
        return OptionalLong.empty();
      }
    }
    return OptionalLong.of(numbers.longAt((int) start.size()));
  }
}
