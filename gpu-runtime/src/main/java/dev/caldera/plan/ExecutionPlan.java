package dev.caldera.plan;

import dev.caldera.graph.TensorData;
import java.util.List;
import java.util.Map;

/**
 * The immutable result of planning a graph for one shape bucket; shared by all that run it.
 *
 * @param graph the graph's name
 * @param bucket the capacity of each symbolic dim; a run's actual sizes are at most these
 * @param inputs slots that a run uploads to, by graph input name
 * @param outputs slots that a run reads back, by graph output name
 * @param weights constants that the steps read, with their data
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
    inputs = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(inputs));
    outputs = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(outputs));
    weights = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(weights));
  }
}
