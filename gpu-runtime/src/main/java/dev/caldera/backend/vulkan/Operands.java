package dev.caldera.backend.vulkan;

import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.Node;
import dev.caldera.graph.Shape;
import dev.caldera.graph.Value;
import dev.caldera.plan.Layout;
import dev.caldera.plan.Operand;
import dev.caldera.plan.Step;
import java.util.List;
import java.util.Map;

/**
 * The operands of a step, read and checked for its kernel when a plan is compiled. Shaders count
 * elements in signed 32 bits, so each operand is held to that here.
 */
final class Operands {
  private static final long MOST_ELEMENTS = Integer.MAX_VALUE;

  private final Step step;

  /**
   * Takes a step's operands.
   *
   * @throws IllegalArgumentException if one has more elements than a shader can count
   */
  Operands(Step step) {
    this.step = step;
    for (int i = 0; i < step.inputs().size(); i++) {
      checkCount("input " + i, step.inputs().get(i));
    }
    for (int i = 0; i < step.outputs().size(); i++) {
      checkCount("output " + i, step.outputs().get(i));
    }
  }

  /** Whether a node's inputs have these element types, in this order. */
  static boolean haveTypes(Node node, DType... types) {
    List<DType> actual = node.inputs().stream().map(value -> value.type().dtype()).toList();
    return actual.equals(List.of(types));
  }

  /** Whether all values have this element type. */
  static boolean allAre(DType type, List<Value> values) {
    return values.stream().allMatch(value -> value.type().dtype() == type);
  }

  /**
   * Checks the inputs' layouts, and that outputs are row-major.
   *
   * @throws IllegalArgumentException if one differs
   */
  void checkLayouts(List<Layout> inputs) {
    for (int i = 0; i < inputs.size(); i++) {
      checkLayout("input " + i, step.inputs().get(i), inputs.get(i));
    }
    for (int i = 0; i < step.outputs().size(); i++) {
      checkLayout("output " + i, step.outputs().get(i), Layout.rowMajor());
    }
  }

  Shape input(int index) {
    return step.inputs().get(index).type().shape();
  }

  Shape output(int index) {
    return step.outputs().get(index).type().shape();
  }

  DType inputType(int index) {
    return step.inputs().get(index).type().dtype();
  }

  DType outputType(int index) {
    return step.outputs().get(index).type().dtype();
  }

  Layout inputLayout(int index) {
    return step.inputs().get(index).layout();
  }

  Layout outputLayout(int index) {
    return step.outputs().get(index).layout();
  }

  /** Capacity in rows of an input's slot. */
  long inputRows(int index) {
    return rows(step.inputs().get(index));
  }

  /** Capacity in rows of an output's slot. */
  long outputRows(int index) {
    return rows(step.outputs().get(index));
  }

  int inputs() {
    return step.inputs().size();
  }

  /**
   * A dim that the kernel needs to know when the plan is compiled.
   *
   * @throws IllegalArgumentException if it is symbolic or does not fit an int
   */
  int fixed(Dim dim, String what) {
    if (!(dim instanceof Dim.Fixed fixed)) {
      throw refuse(what + " is " + dim + ", a known size would be right");
    }
    if (fixed.size() < 1 || fixed.size() > MOST_ELEMENTS) {
      throw refuse(what + " is " + dim + ", from 1 to " + MOST_ELEMENTS + " would be right");
    }
    return (int) fixed.size();
  }

  /** Throws unless {@code holds}. */
  void require(boolean holds, String problem) {
    if (!holds) {
      throw refuse(problem);
    }
  }

  private IllegalArgumentException refuse(String problem) {
    return new IllegalArgumentException(
        "Cannot run " + step.kernel() + " at node " + step.node() + ": " + problem);
  }

  private void checkCount(String name, Operand operand) {
    long columns =
        operand instanceof Operand.SlotOperand slot
            ? slot.columns()
            : operand.type().shape().columns().evaluate(Map.of());
    long elements = operand.layout().elements(rows(operand), columns);
    require(
        elements <= MOST_ELEMENTS,
        name + " has " + elements + " elements, at most " + MOST_ELEMENTS + " would be right");
  }

  private void checkLayout(String name, Operand operand, Layout layout) {
    require(
        operand.layout().equals(layout),
        name + " stands in " + operand.layout() + ", " + layout + " would be right");
  }

  private static long rows(Operand operand) {
    return operand instanceof Operand.SlotOperand slot
        ? slot.rows()
        : operand.type().shape().rows().evaluate(Map.of());
  }
}
