package dev.caldera.backend.cpu;

import dev.caldera.memory.BufferRange;
import dev.caldera.plan.Operand;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where an operand lies: a slot of the arena that a run brings, or a record of the weight pool. */
final class Place {
  private final Operand operand;
  private final float @Nullable [] weight;
  private final int chunk;
  private final long offset;
  private final int capacity;

  private Place(Operand operand, float @Nullable [] weight, int chunk, long offset, long capacity) {
    this.operand = operand;
    this.weight = weight;
    this.chunk = chunk;
    this.offset = offset;
    this.capacity = Math.toIntExact(capacity);
  }

  /** The place of a slot; {@code node} is for messages. */
  static Place of(String node, Operand.SlotOperand slot) {
    long needed = slot.layout().bytes(slot.type().dtype(), slot.rows(), slot.columns());
    if (needed > slot.slot().bytes()) {
      throw tooSmall(node, slot.value(), needed, slot.slot().bytes());
    }
    return new Place(slot, null, slot.slot().chunk(), slot.slot().offset(), slot.rows());
  }

  /** The place of a weight. */
  static Place of(String node, Operand.WeightOperand weight, CpuBuffer buffer, BufferRange range) {
    long rows = weight.type().shape().rows().evaluate(Map.of());
    long columns = weight.type().shape().columns().evaluate(Map.of());
    long needed = weight.layout().bytes(weight.type().dtype(), rows, columns);
    if (needed > range.bytes() || range.offset() + range.bytes() > buffer.bytes()) {
      throw tooSmall(node, weight.key().tensor(), needed, range.bytes());
    }
    return new Place(weight, buffer.array(), -1, range.offset(), rows);
  }

  private static IllegalArgumentException tooSmall(
      String node, String value, long needed, long bytes) {
    return new IllegalArgumentException(
        "Cannot prepare node %s: %s needs %d bytes, its place has %d"
            .formatted(node, value, needed, bytes));
  }

  Operand operand() {
    return operand;
  }

  /** The array it lies in. */
  float[] data(RunScope scope) {
    return weight != null ? weight : scope.chunks().get(chunk);
  }

  /** The array index of its first element. */
  int at() {
    return CpuBuffer.FIRST + (int) (offset / Float.BYTES);
  }

  /** Bytes from the array's {@link CpuBuffer#FIRST} element to its first element. */
  long offset() {
    return offset;
  }

  /** Rows that it has room for; the row stride of blocks. */
  int capacity() {
    return capacity;
  }

  /** Actual rows: all dims but the last. */
  int rows(RunScope scope) {
    return (int) operand.type().shape().rows().evaluate(scope.sizes());
  }

  /** Actual columns: the last dim. */
  int columns(RunScope scope) {
    return (int) operand.type().shape().columns().evaluate(scope.sizes());
  }

  /** It as a matrix in column blocks. */
  Blocks blocks(RunScope scope) {
    return new Blocks(data(scope), at(), capacity);
  }

  /** It as a row-major tensor of its actual size. */
  Tensor tensor(RunScope scope) {
    return new Tensor(
        operand.type().dtype(),
        operand.type().shape().evaluate(scope.sizes()),
        data(scope),
        offset);
  }
}
