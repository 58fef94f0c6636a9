package dev.caldera.memory;

import dev.caldera.graph.DType;
import dev.caldera.plan.Layout;
import dev.caldera.plan.LayoutPacker;
import dev.caldera.plan.Operand;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Typed upload and readback of an arena's slots by one {@link Transfer}. Host data is row-major and
 * dense; it is converted where the slot's layout is another.
 */
public final class SlotTransfers {
  private final Arena arena;
  private final Transfer transfer;

  /** Transfers between the host and {@code arena} that {@code transfer} carries. */
  public SlotTransfers(Arena arena, Transfer transfer) {
    this.arena = arena;
    this.transfer = transfer;
  }

  /**
   * Uploads values of an I32 slot.
   *
   * @param from index of the first value
   * @param count number of values; at most what the slot holds
   * @throws IllegalArgumentException if the slot has another type or holds fewer
   */
  public void upload(Operand.SlotOperand slot, int[] values, int from, int count)
      throws InterruptedException {
    checkType(slot, DType.I32);
    upload(slot, count, bytes -> bytes.asIntBuffer().put(values, from, count));
  }

  /** Uploads values of an F32 slot; see {@link #upload(Operand.SlotOperand, int[], int, int)}. */
  public void upload(Operand.SlotOperand slot, float[] values, int from, int count)
      throws InterruptedException {
    checkType(slot, DType.F32);
    upload(slot, count, bytes -> bytes.asFloatBuffer().put(values, from, count));
  }

  /** Uploads values of an I64 slot; see {@link #upload(Operand.SlotOperand, int[], int, int)}. */
  public void upload(Operand.SlotOperand slot, long[] values, int from, int count)
      throws InterruptedException {
    checkType(slot, DType.I64);
    upload(slot, count, bytes -> bytes.asLongBuffer().put(values, from, count));
  }

  /**
   * Uploads row-major bytes of a slot of any type.
   *
   * @param values from position to limit; not advanced
   * @throws IllegalArgumentException if they are not whole elements, or more than the slot holds
   */
  public void upload(Operand.SlotOperand slot, ByteBuffer values) throws InterruptedException {
    int size = slot.type().dtype().bytes();
    if (values.remaining() % size != 0) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot upload %d bytes to slot %s of %s: an element has %d",
              values.remaining(), slot.value(), slot.type(), size));
    }
    upload(slot, values.remaining() / size, bytes -> bytes.put(values.duplicate()));
  }

  /**
   * Reads a slot's tensor back, row-major.
   *
   * @param sizes actual size of each symbolic dim
   * @throws IllegalArgumentException if the actual size is over the slot's capacity
   */
  public Readback readback(Operand.SlotOperand slot, Map<String, Long> sizes)
      throws InterruptedException {
    BufferRange range = checkedRange(arena, slot, sizes);
    long rows = slot.type().shape().rows().evaluate(sizes);
    return transfer.readback(range, staged -> rowMajor(slot, staged, rows));
  }

  static BufferRange checkedRange(Arena arena, Operand.SlotOperand slot, Map<String, Long> sizes) {
    long rows = slot.type().shape().rows().evaluate(sizes);
    long columns = slot.type().shape().columns().evaluate(sizes);
    boolean dense = slot.layout() instanceof Layout.RowMajor;
    long bytes = slot.layout().bytes(slot.type().dtype(), dense ? rows : slot.rows(), columns);
    if (rows > slot.rows() || bytes > slot.slot().bytes()) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot use slot %s of %s for %s: %d rows of %d are over its capacity of %d rows of"
                  + " %d",
              slot.value(), slot.type(), sizes, rows, columns, slot.rows(), slot.columns()));
    }
    return arena.range(slot.slot(), bytes);
  }

  private void upload(Operand.SlotOperand slot, long count, Consumer<ByteBuffer> rowMajor)
      throws InterruptedException {
    long capacity = Math.multiplyExact(slot.rows(), slot.columns());
    if (count > capacity) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot upload %d values to slot %s of %s: it holds %d",
              count, slot.value(), slot.type(), capacity));
    }
    long bytes = Math.multiplyExact(count, (long) slot.type().dtype().bytes());
    if (slot.layout() instanceof Layout.RowMajor) {
      transfer.upload(arena.range(slot.slot(), bytes), rowMajor);
      return;
    }
    if (count % slot.columns() != 0) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot upload %d values to slot %s in %s: rows of %d are wanted",
              count, slot.value(), slot.layout(), slot.columns()));
    }
    ByteBuffer dense = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
    rowMajor.accept(dense.duplicate().order(ByteOrder.LITTLE_ENDIAN));
    long rows = count / slot.columns();
    transfer.upload(arena.range(slot.slot()), staged -> packed(slot, dense, rows, staged));
  }

  private static void packed(
      Operand.SlotOperand slot, ByteBuffer dense, long rows, ByteBuffer staged) {
    while (staged.hasRemaining()) {
      staged.put((byte) 0);
    }
    staged.rewind();
    LayoutPacker.copy(
        slot.type().dtype(),
        dense,
        Layout.rowMajor(),
        rows,
        staged,
        slot.layout(),
        slot.rows(),
        rows,
        slot.columns());
  }

  private static ByteBuffer rowMajor(Operand.SlotOperand slot, ByteBuffer staged, long rows) {
    if (slot.layout() instanceof Layout.RowMajor) {
      return staged;
    }
    DType dtype = slot.type().dtype();
    long bytes = Layout.rowMajor().bytes(dtype, rows, slot.columns());
    ByteBuffer dense = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
    LayoutPacker.copy(
        dtype,
        staged,
        slot.layout(),
        slot.rows(),
        dense,
        Layout.rowMajor(),
        rows,
        rows,
        slot.columns());
    return dense;
  }

  private static void checkType(Operand.SlotOperand slot, DType wanted) {
    if (slot.type().dtype() != wanted) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot upload %s values to slot %s: its type is %s",
              wanted, slot.value(), slot.type()));
    }
  }
}
