package dev.caldera.graph;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The types of a node's outputs from those of its operands.
 *
 * <p>Each op has one rule, registered in {@link PrimitiveTypes} or {@link FusedTypes}. A rule
 * throws an {@link IllegalArgumentException} that says what is wrong; {@link #infer} puts node, op
 * and operands before it.
 */
final class TypeInference {

  private static final Map<Class<? extends Op>, Rule<Op>> RULES = rules();

  private TypeInference() {}

  /** How one op's output types follow from its operands. */
  interface Rule<T extends Op> {
    List<TensorType> infer(T op, List<TensorType> operands);
  }

  /**
   * The types of the outputs.
   *
   * @throws IllegalArgumentException naming node, op and operand types, if the op cannot take them
   */
  static List<TensorType> infer(String node, Op op, List<TensorType> operands) {
    Rule<Op> rule = RULES.get(op.getClass());
    if (rule == null) {
      throw new IllegalStateException("No type rule is registered for op " + op.label());
    }
    try {
      return rule.infer(op, operands);
    } catch (IllegalArgumentException | ArithmeticException e) {
      String types = operands.stream().map(TensorType::toString).collect(Collectors.joining(", "));
      throw new IllegalArgumentException(
          "Cannot add node " + node + ", " + op + " of (" + types + "): " + e.getMessage(), e);
    }
  }

  /** The ops that have a type rule. */
  static java.util.Set<Class<? extends Op>> registered() {
    return RULES.keySet();
  }

  private static Map<Class<? extends Op>, Rule<Op>> rules() {
    Registry registry = new Registry();
    PrimitiveTypes.register(registry);
    FusedTypes.register(registry);
    return Map.copyOf(registry.rules);
  }

  /** Collects the rules. */
  static final class Registry {
    private final Map<Class<? extends Op>, Rule<Op>> rules = new HashMap<>();

    <T extends Op> void add(Class<T> op, Rule<T> rule) {
      rules.put(op, (o, operands) -> rule.infer(op.cast(o), operands));
    }
  }
}
