package dev.caldera.graph;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Evaluates ops and graphs in the plainest way: the reference of all kernels, and what folds
 * constants.
 *
 * <p>Floats are computed in {@code double} and rounded once, when an output is stored; integers are
 * exact, and an overflow of the element type is an error. Each op has one rule, registered in
 * {@link HostPointwise}, {@link HostMovement}, {@link HostMatrix}, {@link HostRows} or {@link
 * HostAttention}.
 *
 * <pre>{@code
 * HostTensor sum = HostEvaluator.apply(new Op.Binary(BinaryKind.ADD), a, b);
 * HostTensor embeddings = HostEvaluator.evaluateSingle(graph, Map.of("x", x));
 * }</pre>
 */
public final class HostEvaluator {

  private static final Map<Class<? extends Op>, Rule<Op>> RULES = rules();

  private HostEvaluator() {}

  /** How one op is computed; dims in its attributes are already numbers. */
  interface Rule<T extends Op> {
    List<HostTensor> apply(T op, List<HostTensor> operands);
  }

  /**
   * The single output of an op without symbolic attributes.
   *
   * @throws IllegalArgumentException if the op cannot take the operands
   */
  public static HostTensor apply(Op op, HostTensor... operands) {
    return apply(op.label(), op, Map.of(), List.of(operands)).get(0);
  }

  /**
   * The outputs of an op.
   *
   * @param node for messages
   * @param bindings sizes of the symbols in the op's attributes
   * @throws IllegalArgumentException if the op cannot take the operands
   * @throws IndexOutOfBoundsException if an index among the operands lies outside its table
   * @throws ArithmeticException if an integer overflows or is divided by zero
   */
  public static List<HostTensor> apply(
      String node, Op op, Map<String, Long> bindings, List<HostTensor> operands) {
    Op bound = bind(op, bindings);
    TypeInference.infer(node, bound, operands.stream().map(HostTensor::type).toList());
    Rule<Op> rule = RULES.get(op.getClass());
    if (rule == null) {
      throw new IllegalStateException("No host rule is registered for op " + op.label());
    }
    return rule.apply(bound, operands);
  }

  /**
   * The outputs of a graph, by name.
   *
   * @param inputs by name; the symbols of the graph are bound to their sizes
   * @throws IllegalArgumentException if an input is missing or does not fit its type or a limit
   */
  public static Map<String, HostTensor> evaluate(Graph graph, Map<String, HostTensor> inputs) {
    Map<String, Long> bindings = SymbolBinder.bind(graph, inputs);
    Map<String, HostTensor> values = new HashMap<>(inputs);
    graph.constants().forEach((v, d) -> values.put(v.name(), HostTensor.read(v.type(), d)));
    for (Node node : graph.nodes()) {
      List<HostTensor> operands =
          node.inputs().stream().map(v -> value(values, v)).collect(Collectors.toList());
      List<HostTensor> results = apply(node.name(), node.op(), bindings, operands);
      for (int i = 0; i < results.size(); i++) {
        values.put(node.outputs().get(i).name(), results.get(i));
      }
    }
    Map<String, HostTensor> outputs = new LinkedHashMap<>();
    graph.outputs().forEach(v -> outputs.put(v.name(), value(values, v)));
    return outputs;
  }

  /**
   * The output of a graph that has one.
   *
   * @param inputs as for {@link #evaluate}
   */
  public static HostTensor evaluateSingle(Graph graph, Map<String, HostTensor> inputs) {
    if (graph.outputs().size() != 1) {
      throw new IllegalArgumentException(
          "Cannot take the output of graph " + graph.name() + ": it has " + graph.outputs());
    }
    return evaluate(graph, inputs).values().iterator().next();
  }

  private static HostTensor value(Map<String, HostTensor> values, Value value) {
    HostTensor tensor = values.get(value.name());
    if (tensor == null) {
      throw new IllegalArgumentException("Cannot evaluate: value " + value + " is missing");
    }
    return tensor;
  }

  private static Op bind(Op op, Map<String, Long> bindings) {
    if (op instanceof Op.Reshape reshape) {
      return new Op.Reshape(Shape.fixed(reshape.shape().evaluate(bindings)));
    }
    if (op instanceof Op.Expand expand) {
      return new Op.Expand(Shape.fixed(expand.shape().evaluate(bindings)));
    }
    if (op instanceof Op.Slice slice) {
      return new Op.Slice(
          slice.axis(),
          Dim.fixed(slice.start().evaluate(bindings)),
          Dim.fixed(slice.end().evaluate(bindings)));
    }
    return op;
  }

  /** The ops that have a host rule. */
  static java.util.Set<Class<? extends Op>> registered() {
    return RULES.keySet();
  }

  private static Map<Class<? extends Op>, Rule<Op>> rules() {
    Registry registry = new Registry();
    HostPointwise.register(registry);
    HostMovement.register(registry);
    HostMatrix.register(registry);
    HostRows.register(registry);
    HostAttention.register(registry);
    return Map.copyOf(registry.rules);
  }

  /** Collects the rules. */
  static final class Registry {
    private final Map<Class<? extends Op>, Rule<Op>> rules = new HashMap<>();

    <T extends Op> void add(Class<T> op, Rule<T> rule) {
      rules.put(op, (o, operands) -> rule.apply(op.cast(o), operands));
    }
  }
}
