package dev.caldera.plan;

import dev.caldera.graph.TensorData;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The immutable result of planning a graph for one shape bucket; shared by all that run it.
 *
 * @param graph the graph's name
 * @param bucket the capacity of each symbolic dim; a run's actual sizes are at most these
 * @param steps in the order in which they run
 * @param inputs slots that a run uploads to, by graph input name; row-major
 * @param outputs slots that a run reads back, by graph output name; row-major
 * @param weights constants that the steps read, with their row-major data
 * @param memory the place of every value
 */
public record ExecutionPlan(
    String graph,
    Map<String, Long> bucket,
    List<Step> steps,
    Map<String, Operand.SlotOperand> inputs,
    Map<String, Operand.SlotOperand> outputs,
    Map<Operand.WeightOperand, TensorData> weights,
    MemoryPlan memory) {

  public ExecutionPlan {
    bucket = Map.copyOf(bucket);
    steps = List.copyOf(steps);
    inputs = Collections.unmodifiableMap(new LinkedHashMap<>(inputs));
    outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
    weights = Collections.unmodifiableMap(new LinkedHashMap<>(weights));
  }

  /**
   * The slot of a graph input.
   *
   * @throws IllegalArgumentException if the graph has no such input
   */
  public Operand.SlotOperand input(String name) {
    return find("input", name, inputs);
  }

  /**
   * The slot of a graph output.
   *
   * @throws IllegalArgumentException if the graph has no such output
   */
  public Operand.SlotOperand output(String name) {
    return find("output", name, outputs);
  }

  private Operand.SlotOperand find(
      String what, String name, Map<String, Operand.SlotOperand> slots) {
    Operand.SlotOperand slot = slots.get(name);
    if (slot == null) {
      throw new IllegalArgumentException(
          "Cannot find " + what + " " + name + " of graph " + graph + ": it has " + slots.keySet());
    }
    return slot;
  }

  /** The plan as a person reads it: each step with its kernel and where its operands lie. */
  public String describe() {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            "plan %s for %s: %d steps, %d weights\n",
            graph, new TreeMap<>(bucket), steps.size(), weights.size()));
    text.append(memory.summary()).append('\n');
    inputs.forEach((name, slot) -> text.append("input ").append(line(slot)));
    for (Step step : steps) {
      text.append(
          String.format(
              "step %d %s: %s by %s\n", step.index(), step.node(), step.op(), step.kernel()));
      step.inputs().forEach(operand -> text.append("  reads  ").append(line(operand)));
      step.outputs().forEach(operand -> text.append("  writes ").append(line(operand)));
      if (step.scratch().bytes() > 0) {
        text.append(String.format("  scratch %s\n", place(step.scratch())));
      }
    }
    outputs.forEach((name, slot) -> text.append("output ").append(line(slot)));
    return text.toString();
  }

  private static String line(Operand operand) {
    if (operand instanceof Operand.SlotOperand slot) {
      return String.format(
          "%s: %s, %s, %s\n", slot.value(), slot.type(), slot.layout(), place(slot.slot()));
    }
    Operand.WeightOperand weight = (Operand.WeightOperand) operand;
    return String.format(
        "%s: %s, %s, weight\n", weight.key().tensor(), weight.type(), weight.layout());
  }

  private static String place(Slot slot) {
    return String.format("chunk %d at %d, %d bytes", slot.chunk(), slot.offset(), slot.bytes());
  }
}
