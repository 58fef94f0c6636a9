package dev.caldera.graph;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Builds a {@link Graph} front to back; the types of outputs are inferred and checked.
 *
 * <pre>{@code
 * GraphBuilder graph = new GraphBuilder("mlp");
 * Value x = graph.input("x", new TensorType(DType.F32, Shape.of(Dim.symbol("rows"), Dim.fixed(4))));
 * Value weight = graph.constant("weight", HostTensor.floats(values, 4, 8));
 * Value bias = graph.constant("bias", HostTensor.floats(new float[8], 8));
 * graph.output(graph.add("up", new Op.Linear(Activation.RELU), x, weight, bias));
 * Graph built = graph.build();
 * }</pre>
 *
 * <p>Not thread-safe.
 */
public final class GraphBuilder {

  private final String name;
  private final List<Value> inputs = new ArrayList<>();
  private final Map<Value, TensorData> constants = new LinkedHashMap<>();
  private final List<Node> nodes = new ArrayList<>();
  private final List<Value> outputs = new ArrayList<>();
  private final Map<String, Long> limits = new LinkedHashMap<>();
  private final Set<String> valueNames = new HashSet<>();

  /** Begins a graph. */
  public GraphBuilder(String name) {
    this.name = name;
  }

  /** Adds an input. */
  public Value input(String inputName, TensorType type) {
    Value value = define(new Value(inputName, type));
    inputs.add(value);
    return value;
  }

  /**
   * Adds a constant.
   *
   * @throws IllegalArgumentException if the shape is not fixed or the data has another size
   */
  public Value constant(String constantName, TensorType type, TensorData data) {
    if (!type.shape().isFixed() || type.bytes(Map.of()) != data.byteSize()) {
      throw new IllegalArgumentException(
          "Cannot add constant "
              + constantName
              + " to graph "
              + name
              + ": "
              + data.byteSize()
              + " bytes are given for "
              + type);
    }
    Value value = define(new Value(constantName, type));
    constants.put(value, data);
    return value;
  }

  /** Adds a constant. */
  public Value constant(String constantName, HostTensor tensor) {
    return constant(constantName, tensor.type(), tensor.toData());
  }

  /**
   * Adds a node with one output, which takes the node's name.
   *
   * @throws IllegalArgumentException naming node, op and operand types, if the op cannot take them
   */
  public Value add(String nodeName, Op op, Value... operands) {
    return add(nodeName, op, List.of(operands), List.of(nodeName)).get(0);
  }

  /**
   * Adds a node.
   *
   * @param outputNames a name for each output of the op
   * @throws IllegalArgumentException naming node, op and operand types, if the op cannot take them
   */
  public List<Value> add(String nodeName, Op op, List<Value> operands, List<String> outputNames) {
    List<TensorType> types =
        TypeInference.infer(nodeName, op, operands.stream().map(Value::type).toList());
    if (types.size() != outputNames.size()) {
      throw new IllegalArgumentException(
          "Cannot add node "
              + nodeName
              + ": "
              + op.label()
              + " has "
              + types.size()
              + " outputs, but "
              + outputNames.size()
              + " names are given");
    }
    List<Value> results =
        IntStream.range(0, types.size())
            .mapToObj(i -> define(new Value(outputNames.get(i), types.get(i))))
            .toList();
    nodes.add(new Node(nodeName, op, operands, results));
    if (op instanceof Op.Slice slice
        && operands.get(0).type().shape().dim(slice.axis()) instanceof Dim.Fixed most) {
      limitEnd(slice.end(), most.size());
    }
    return results;
  }

  /** A slice may not end behind its operand, which limits a symbol in its end. */
  private void limitEnd(Dim end, long most) {
    if (end instanceof Dim.Symbol symbol) {
      limit(symbol.name(), most);
    } else if (end instanceof Dim.Sum sum
        && sum.left() instanceof Dim.Symbol symbol
        && sum.right() instanceof Dim.Fixed more) {
      limit(symbol.name(), most - more.size());
    }
  }

  /** Sets the largest size of a symbol; of several the smallest counts. */
  public void limit(String symbol, long most) {
    limits.merge(symbol, most, Math::min);
  }

  /** Marks a value as an output. */
  public void output(Value value) {
    outputs.add(value);
  }

  /** Whether a value of this name has been added. */
  public boolean has(String valueName) {
    return valueNames.contains(valueName);
  }

  /** The graph. */
  public Graph build() {
    return new Graph(name, inputs, constants, nodes, outputs, limits);
  }

  private Value define(Value value) {
    if (!valueNames.add(value.name())) {
      throw new IllegalArgumentException(
          "Cannot add value " + value.name() + " to graph " + name + ": the name is taken");
    }
    return value;
  }
}
