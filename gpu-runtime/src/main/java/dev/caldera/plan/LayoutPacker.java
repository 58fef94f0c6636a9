package dev.caldera.plan;

import dev.caldera.graph.DType;
import dev.caldera.graph.TensorData;
import dev.caldera.graph.TensorType;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;

/**
 * Converts tensors between row-major order and any {@link Layout} on the host: weights before they
 * are uploaded, slots after they are read back.
 */
public final class LayoutPacker {
  private LayoutPacker() {}

  /**
   * Row-major data seen in another layout; padding is zeros. Nothing is copied until it is read, so
   * a large weight can be packed piece by piece.
   *
   * @param source row-major data of a tensor of known shape
   * @param type its element type and shape
   * @param layout the wanted layout
   * @throws IllegalArgumentException if {@code source} has not the size that {@code type} tells
   */
  public static TensorData pack(TensorData source, TensorType type, Layout layout) {
    long bytes = type.bytes(Map.of());
    if (source.byteSize() != bytes) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot pack a tensor of %s into %s: its data has %d bytes, which must be %d",
              type, layout, source.byteSize(), bytes));
    }
    if (layout instanceof Layout.RowMajor) {
      return source;
    }
    long rows = type.shape().rows().evaluate(Map.of());
    long columns = type.shape().columns().evaluate(Map.of());
    return new BlockedTensorData(
        source, type.dtype().bytes(), rows, columns, layout.blockWidth(columns));
  }

  /**
   * Copies the first rows of a tensor from one layout into another, on the host.
   *
   * @param source bytes of the whole slot, from its position; not advanced
   * @param from layout of {@code source}
   * @param sourceRows capacity in rows of {@code source}
   * @param target bytes of the whole slot, from its position; not advanced; padding is left alone
   * @param to layout of {@code target}
   * @param targetRows capacity in rows of {@code target}
   * @param rows rows to copy
   * @param columns columns of the tensor
   * @throws IndexOutOfBoundsException if {@code rows} is over a capacity, or a buffer is smaller
   *     than its layout says
   */
  public static void copy(
      DType dtype,
      ByteBuffer source,
      Layout from,
      long sourceRows,
      ByteBuffer target,
      Layout to,
      long targetRows,
      long rows,
      long columns) {
    Objects.checkFromIndexSize(0, rows, sourceRows);
    Objects.checkFromIndexSize(0, rows, targetRows);
    Objects.checkFromIndexSize(0, from.bytes(dtype, sourceRows, columns), source.remaining());
    Objects.checkFromIndexSize(0, to.bytes(dtype, targetRows, columns), target.remaining());
    int size = dtype.bytes();
    for (long row = 0; row < rows; row++) {
      long column = 0;
      while (column < columns) {
        long run = Math.min(run(from, column, columns), run(to, column, columns));
        long sourceByte = from.index(row, column, sourceRows, columns) * size;
        long targetByte = to.index(row, column, targetRows, columns) * size;
        target.put(
            Math.toIntExact(target.position() + targetByte),
            source,
            Math.toIntExact(source.position() + sourceByte),
            Math.toIntExact(run * size));
        column += run;
      }
    }
  }

  /** Columns from {@code column} on that lie side by side. */
  private static long run(Layout layout, long column, long columns) {
    int width = layout.blockWidth(columns);
    return Math.min(width - column % width, columns - column);
  }

  /** Row-major data as blocks of columns, each block row-major. */
  private record BlockedTensorData(
      TensorData source, int elementBytes, long rows, long columns, int width)
      implements TensorData {

    @Override
    public long byteSize() {
      return Math.multiplyExact(
          Math.multiplyExact(rows, Sizes.roundUp(columns, width)), (long) elementBytes);
    }

    @Override
    public void read(long offset, ByteBuffer target) {
      Objects.checkFromIndexSize(offset, target.remaining(), byteSize());
      long rowBytes = (long) width * elementBytes;
      long place = offset;
      while (target.hasRemaining()) {
        long inRow = place % rowBytes;
        int bytes = (int) Math.min(rowBytes - inRow, target.remaining());
        readRow(place / rowBytes, inRow, target, bytes);
        place += bytes;
      }
    }

    /** Reads bytes of one row of one block, zeros where the columns end. */
    private void readRow(long blockRow, long start, ByteBuffer target, int bytes) {
      long block = blockRow / rows;
      long row = blockRow % rows;
      long present = Math.min(width, columns - block * width) * elementBytes;
      int data = (int) Math.max(0, Math.min(bytes, present - start));
      if (data > 0) {
        int limit = target.limit();
        target.limit(target.position() + data);
        source.read((row * columns + block * width) * elementBytes + start, target);
        target.limit(limit);
      }
      for (int i = data; i < bytes; i++) {
        target.put((byte) 0);
      }
    }
  }
}
