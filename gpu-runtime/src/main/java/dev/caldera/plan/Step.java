package dev.caldera.plan;

import dev.caldera.graph.Op;
import java.util.List;

/**
 * One kernel's turn in a plan.
 *
 * @param index position in the schedule
 * @param node the node's name, for messages and profiles
 * @param kernel the chosen kernel's name
 * @param scratch the place of its scratch, of 0 bytes when it needs none
 */
public record Step(
    int index,
    String node,
    Op op,
    String kernel,
    List<Operand> inputs,
    List<Operand> outputs,
    Slot scratch) {

  public Step {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }
}
