package dev.caldera.rewrite;

import dev.caldera.graph.DType;
import dev.caldera.graph.Graph;
import dev.caldera.graph.GraphBuilder;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.TensorData;
import dev.caldera.graph.Value;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * A graph while a rewrite works on it.
 *
 * <p>A fusion replaces the last node of what it recognised: the new node computes the same value
 * from other operands, which leaves the nodes between dead. {@link #finish} drops all that no
 * output needs and checks every type again.
 */
final class GraphEdit {

  private final Graph graph;
  private final List<Node> nodes;
  private final Map<Value, TensorData> constants;
  private final Map<Value, Node> producers = new HashMap<>();
  private final Set<String> names = new HashSet<>();
  private int count;

  GraphEdit(Graph graph) {
    this.graph = graph;
    this.nodes = new ArrayList<>(graph.nodes());
    this.constants = new LinkedHashMap<>(graph.constants());
    graph.inputs().forEach(v -> names.add(v.name()));
    constants.keySet().forEach(v -> names.add(v.name()));
    for (Node node : nodes) {
      names.add(node.name());
      node.outputs().forEach(v -> names.add(v.name()));
      node.outputs().forEach(v -> producers.put(v, node));
    }
  }

  Graph graph() {
    return graph;
  }

  /** The nodes as they are now. */
  List<Node> nodes() {
    return List.copyOf(nodes);
  }

  /** The node that computes a value; empty for inputs and constants. */
  Optional<Node> producer(Value value) {
    return Optional.ofNullable(producers.get(value));
  }

  /** The node that computes a value, if it applies {@code op} with just these attributes. */
  Optional<Node> producer(Value value, Op op) {
    return producer(value).filter(node -> node.op().equals(op));
  }

  /** The nodes that read a value, once for each operand. */
  List<Node> consumers(Value value) {
    List<Node> consumers = new ArrayList<>();
    for (Node node : nodes) {
      node.inputs().stream().filter(value::equals).forEach(v -> consumers.add(node));
    }
    return consumers;
  }

  boolean isOutput(Value value) {
    return graph.outputs().contains(value);
  }

  /** Whether exactly one operand of one node reads a value, and no output is it. */
  boolean isUsedOnce(Value value) {
    return !isOutput(value) && consumers(value).size() == 1;
  }

  /** Whether nothing but {@code interior} and {@code last} reads what {@code interior} computes. */
  boolean isClosed(Collection<Node> interior, Node last) {
    return interior.stream()
        .filter(node -> !node.equals(last))
        .flatMap(node -> node.outputs().stream())
        .allMatch(
            value ->
                !isOutput(value)
                    && consumers(value).stream()
                        .allMatch(c -> c.equals(last) || interior.contains(c)));
  }

  boolean isConstant(Value value) {
    return constants.containsKey(value);
  }

  /** A constant's elements. */
  Optional<HostTensor> constant(Value value) {
    TensorData data = constants.get(value);
    return data == null ? Optional.empty() : Optional.of(HostTensor.read(value.type(), data));
  }

  /** The number that an F32 constant of one element is. */
  OptionalDouble scalar(Value value) {
    boolean single =
        isConstant(value)
            && value.type().dtype() == DType.F32
            && value.type().bytes(Map.of()) == DType.F32.bytes();
    return single
        ? OptionalDouble.of(constant(value).orElseThrow().floatAt(0))
        : OptionalDouble.empty();
  }

  /** Lets a node compute its value in another way. */
  void replace(Node node, Op op, Value... operands) {
    Node replaced = new Node(node.name(), op, List.of(operands), node.outputs());
    nodes.set(nodes.indexOf(node), replaced);
    node.outputs().forEach(v -> producers.put(v, replaced));
    count++;
  }

  /** Adds a node before another, and returns its value. */
  Value insert(Node before, String name, Op op, Value... operands) {
    GraphBuilder types = new GraphBuilder(name);
    Map<String, Value> inputs = new HashMap<>();
    List<Value> copies =
        List.of(operands).stream()
            .map(v -> inputs.computeIfAbsent(v.name(), n -> types.input(n, v.type())))
            .toList();
    Value output = types.add(newName(name), op, copies.toArray(Value[]::new));
    Node node = new Node(output.name(), op, List.of(operands), List.of(output));
    nodes.add(nodes.indexOf(before), node);
    producers.put(output, node);
    return output;
  }

  /** Adds a constant. */
  Value addConstant(String name, HostTensor tensor) {
    Value value = new Value(newName(name), tensor.type());
    constants.put(value, tensor.toData());
    return value;
  }

  /** Makes constants of what a node computes. */
  void fold(Node node, List<HostTensor> results) {
    for (int i = 0; i < results.size(); i++) {
      producers.remove(node.outputs().get(i));
      constants.put(node.outputs().get(i), results.get(i).toData());
    }
    nodes.remove(node);
    count++;
  }

  /** Lets all that read a node's value read {@code instead}; not for an output of the graph. */
  void bypass(Node node, Value instead) {
    for (int i = 0; i < nodes.size(); i++) {
      Node reader = nodes.get(i);
      if (reader.inputs().contains(node.output())) {
        List<Value> inputs =
            reader.inputs().stream().map(v -> v.equals(node.output()) ? instead : v).toList();
        Node changed = new Node(reader.name(), reader.op(), inputs, reader.outputs());
        nodes.set(i, changed);
        changed.outputs().forEach(v -> producers.put(v, changed));
      }
    }
    count++;
  }

  private String newName(String wanted) {
    String name = wanted;
    for (int i = 2; !names.add(name); i++) {
      name = wanted + "." + i;
    }
    return name;
  }

  /** The graph as it was if nothing was changed, else {@link #build} and the number of changes. */
  Rewrite.Result finish() {
    return count == 0 ? new Rewrite.Result(graph, 0) : new Rewrite.Result(build(), count);
  }

  /** The new graph without dead nodes and constants, every type inferred again. */
  Graph build() {
    Set<Value> live = new HashSet<>(graph.outputs());
    List<Node> kept = new ArrayList<>();
    for (int i = nodes.size() - 1; i >= 0; i--) {
      if (nodes.get(i).outputs().stream().anyMatch(live::contains)) {
        kept.add(0, nodes.get(i));
        live.addAll(nodes.get(i).inputs());
      }
    }
    GraphBuilder builder = new GraphBuilder(graph.name());
    graph.inputs().forEach(v -> builder.input(v.name(), v.type()));
    graph.limits().forEach(builder::limit);
    constants.forEach(
        (value, data) -> {
          if (live.contains(value)) {
            builder.constant(value.name(), value.type(), data);
          }
        });
    for (Node node : kept) {
      List<String> outputs = node.outputs().stream().map(Value::name).toList();
      List<Value> results = builder.add(node.name(), node.op(), node.inputs(), outputs);
      if (!results.equals(node.outputs())) {
        throw new IllegalStateException(
            "Rewriting changed " + node.outputs() + " of node " + node.name() + " to " + results);
      }
    }
    graph.outputs().forEach(builder::output);
    return builder.build();
  }
}
