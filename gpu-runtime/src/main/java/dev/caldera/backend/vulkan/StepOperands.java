package dev.caldera.backend.vulkan;

import dev.caldera.memory.BufferRange;
import dev.caldera.memory.WeightPool;
import dev.caldera.plan.ExecutionPlan;
import dev.caldera.plan.Operand;
import dev.caldera.plan.Slot;
import dev.caldera.plan.Step;
import java.util.List;

/**
 * Where the operands of a step lie: weights at fixed addresses, slots at offsets in the chunks of
 * the arena that a run brings.
 */
record StepOperands(List<Place> inputs, List<Place> outputs, Place scratch) {

  StepOperands {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  /**
   * One operand's place.
   *
   * @param chunk the arena's chunk, or -1 for a weight
   * @param offset bytes from the chunk's start, or a weight's device address
   * @param bytes capacity
   */
  record Place(int chunk, long offset, long bytes) {
    /** Its device address, given that of each chunk. */
    long address(long[] chunks) {
      return chunk < 0 ? offset : chunks[chunk] + offset;
    }
  }

  /**
   * Resolves a step's operands.
   *
   * @throws IllegalArgumentException if a slot does not lie in its chunk, or a weight is too small
   */
  static StepOperands resolve(ExecutionPlan plan, Step step, WeightPool.Lease weights) {
    return new StepOperands(
        step.inputs().stream().map(operand -> place(plan, step, operand, weights)).toList(),
        step.outputs().stream().map(operand -> place(plan, step, operand, weights)).toList(),
        place(plan, step, step.scratch()));
  }

  private static Place place(
      ExecutionPlan plan, Step step, Operand operand, WeightPool.Lease weights) {
    if (operand instanceof Operand.SlotOperand slot) {
      return place(plan, step, slot.slot());
    }
    Operand.WeightOperand weight = (Operand.WeightOperand) operand;
    BufferRange range = weights.range(weight.key());
    long rows = weight.type().shape().rows().evaluate(plan.bucket());
    long columns = weight.type().shape().columns().evaluate(plan.bucket());
    long needed = weight.layout().bytes(weight.type().dtype(), rows, columns);
    if (range.bytes() < needed) {
      throw new IllegalArgumentException(
          cannotBind(plan, step)
              + "weight "
              + weight.key().tensor()
              + " has "
              + range.bytes()
              + " bytes on the device, "
              + needed
              + " are needed");
    }
    VulkanBuffer buffer = (VulkanBuffer) range.buffer();
    return new Place(-1, buffer.address(range.offset()), range.bytes());
  }

  private static Place place(ExecutionPlan plan, Step step, Slot slot) {
    List<Long> chunks = plan.memory().chunkBytes();
    boolean inside =
        slot.bytes() == 0
            || (slot.chunk() >= 0
                && slot.chunk() < chunks.size()
                && slot.offset() >= 0
                && slot.offset() + slot.bytes() <= chunks.get(slot.chunk()));
    if (!inside) {
      throw new IllegalArgumentException(
          cannotBind(plan, step) + slot + " does not lie in the plan's chunks " + chunks);
    }
    return slot.bytes() == 0
        ? new Place(-1, 0, 0)
        : new Place(slot.chunk(), slot.offset(), slot.bytes());
  }

  private static String cannotBind(ExecutionPlan plan, Step step) {
    return "Cannot bind step " + step.node() + " of plan " + plan.graph() + ": ";
  }
}
