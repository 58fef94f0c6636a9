package dev.caldera.plan;

import dev.caldera.graph.TensorType;

/** What a step reads or writes. */
public sealed interface Operand {

  /** Element type and (symbolic) shape; the actual sizes come with each run. */
  TensorType type();

  /** How it stands in memory. */
  Layout layout();

  /**
   * A planned place in the arena.
   *
   * @param rows capacity in rows (all dims but the last) under the plan's bucket
   * @param columns capacity in columns (the last dim)
   */
  record SlotOperand(
      String value, TensorType type, Layout layout, Slot slot, long rows, long columns)
      implements Operand {}

  /** A constant in the weight pool, by its record's key. */
  record WeightOperand(WeightKey key, TensorType type, Layout layout) implements Operand {}
}
