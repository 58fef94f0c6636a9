package dev.caldera.backend.cpu;

import dev.caldera.memory.BufferRange;
import dev.caldera.memory.WeightPool;
import dev.caldera.plan.Operand;
import dev.caldera.plan.Slot;
import dev.caldera.plan.Step;
import java.util.List;

/**
 * Where a step's operands lie.
 *
 * @param scratch the zone that the step may write as it likes
 */
record StepPlaces(List<Place> inputs, List<Place> outputs, Slot scratch) {

  /** The places of a step, weights by their lease. */
  static StepPlaces of(CpuDevice device, Step step, WeightPool.Lease weights) {
    return new StepPlaces(
        step.inputs().stream().map(o -> place(device, step, o, weights)).toList(),
        step.outputs().stream().map(o -> place(device, step, o, weights)).toList(),
        step.scratch());
  }

  private static Place place(
      CpuDevice device, Step step, Operand operand, WeightPool.Lease weights) {
    if (operand instanceof Operand.SlotOperand slot) {
      return Place.of(step.node(), slot);
    }
    Operand.WeightOperand weight = (Operand.WeightOperand) operand;
    BufferRange range = weights.range(weight.key());
    return Place.of(step.node(), weight, device.own(range.buffer()), range);
  }

  Place input(int index) {
    return inputs.get(index);
  }

  Place output() {
    return outputs.get(0);
  }

  /** The scratch zone's array. */
  float[] scratch(RunScope scope) {
    return scope.chunks().get(scratch.chunk());
  }

  /** The place of the scratch zone's first element. */
  int scratchAt() {
    return CpuBuffer.FIRST + Math.toIntExact(scratch.offset() / Float.BYTES);
  }
}
