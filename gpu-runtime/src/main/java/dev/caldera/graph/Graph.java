package dev.caldera.graph;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * An immutable graph in topological order.
 *
 * @param name for messages and reports
 * @param inputs bound by the caller at run time
 * @param constants weights, by value
 * @param nodes each after all nodes whose outputs it reads
 * @param outputs what a run returns
 * @param limits the largest size of a symbolic dim, by symbol, where the model sets one (for
 *     example {@code sequence} at most the rows of the position table); checked when a bucket is
 *     bound
 */
public record Graph(
    String name,
    List<Value> inputs,
    Map<Value, TensorData> constants,
    List<Node> nodes,
    List<Value> outputs,
    Map<String, Long> limits) {

  public Graph {
    inputs = List.copyOf(inputs);
    constants = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(constants));
    nodes = List.copyOf(nodes);
    outputs = List.copyOf(outputs);
    limits = Map.copyOf(limits);
    check(name, inputs, constants, nodes, outputs);
  }

  /**
   * This graph as text: its inputs with their limits, a summary of its constants, a line a node,
   * its outputs.
   *
   * <pre>
   * graph mlp: 1 node, 2 constants of 160 bytes
   *   input x: f32[rows, 4]
   *   up: f32[rows, 8] = Linear[activation=RELU](x, weight: f32[4, 8], bias: f32[8])
   *   output up: f32[rows, 8]
   * </pre>
   */
  public String describe() {
    return GraphDescription.of(this);
  }

  /**
   * This graph with another name for an output.
   *
   * @throws IllegalArgumentException if {@code output} is not computed by a node, or the name is
   *     taken
   */
  public Graph renameOutput(Value output, String newName) {
    if (nodes.stream().noneMatch(node -> node.outputs().contains(output))) {
      throw new IllegalArgumentException(
          "Cannot rename output " + output.name() + " of graph " + name + ": no node computes it");
    }
    Value renamed = new Value(newName, output.type());
    UnaryOperator<List<Value>> rename =
        values -> values.stream().map(v -> v.equals(output) ? renamed : v).toList();
    List<Node> newNodes =
        nodes.stream()
            .map(
                n ->
                    new Node(n.name(), n.op(), rename.apply(n.inputs()), rename.apply(n.outputs())))
            .toList();
    return new Graph(name, inputs, constants, newNodes, rename.apply(outputs), limits);
  }

  private static void check(
      String name,
      List<Value> inputs,
      Map<Value, TensorData> constants,
      List<Node> nodes,
      List<Value> outputs) {
    Set<String> defined = new HashSet<>();
    inputs.forEach(v -> define(name, defined, v));
    constants.keySet().forEach(v -> define(name, defined, v));
    Set<String> nodeNames = new HashSet<>();
    for (Node node : nodes) {
      if (!nodeNames.add(node.name())) {
        throw new IllegalArgumentException(
            "Cannot build graph " + name + ": two nodes are named " + node.name());
      }
      for (Value input : node.inputs()) {
        if (!defined.contains(input.name())) {
          throw new IllegalArgumentException(
              "Cannot build graph "
                  + name
                  + ": node "
                  + node.name()
                  + " reads "
                  + input.name()
                  + " before it is defined");
        }
      }
      node.outputs().forEach(v -> define(name, defined, v));
    }
    for (Value output : outputs) {
      if (!defined.contains(output.name())) {
        throw new IllegalArgumentException(
            "Cannot build graph " + name + ": output " + output.name() + " is not defined");
      }
    }
  }

  private static void define(String graph, Set<String> defined, Value value) {
    if (!defined.add(value.name())) {
      throw new IllegalArgumentException(
          "Cannot build graph " + graph + ": value " + value.name() + " is defined twice");
    }
  }
}
