package dev.caldera.memory;

import dev.caldera.graph.TensorData;
import dev.caldera.plan.ExecutionPlan;
import dev.caldera.plan.LayoutPacker;
import dev.caldera.plan.Operand;
import dev.caldera.plan.WeightKey;
import java.util.List;

/**
 * What a weight pool holds and evicts as one: a tensor, a layer, or one expert of a layer.
 *
 * @param key its name
 * @param data its bytes as they stand on the device, prepacked
 */
public record WeightRecord(WeightKey key, TensorData data) {

  /** The record of a plan's weight: its data packed into the layout that the kernel wants. */
  public static WeightRecord of(Operand.WeightOperand weight, TensorData rowMajor) {
    return new WeightRecord(
        weight.key(), LayoutPacker.pack(rowMajor, weight.type(), weight.layout()));
  }

  /** The records of all weights of a plan, in the order in which its steps first read them. */
  public static List<WeightRecord> of(ExecutionPlan plan) {
    return plan.weights().entrySet().stream()
        .map(weight -> of(weight.getKey(), weight.getValue()))
        .toList();
  }

  /** Bytes on the device. */
  public long bytes() {
    return data.byteSize();
  }
}
