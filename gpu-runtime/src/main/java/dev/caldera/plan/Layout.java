package dev.caldera.plan;

import dev.caldera.graph.DType;

/**
 * How a tensor stands in memory, seen as a matrix of rows (all dims but the last) and columns (the
 * last dim). A property of a slot, like its type: rewrites choose it, the plan carries it.
 */
public sealed interface Layout permits Layout.RowMajor, Layout.ColumnBlocks, Layout.Panels {

  /** Row after row, without gaps. */
  record RowMajor() implements Layout {
    @Override
    public long elements(long rows, long columns) {
      return Math.multiplyExact(rows, columns);
    }

    @Override
    public long index(long row, long column, long rows, long columns) {
      return row * columns + column;
    }

    @Override
    public int blockWidth(long columns) {
      return Math.toIntExact(Math.max(1, columns));
    }

    @Override
    public String toString() {
      return "row-major";
    }
  }

  /**
   * Blocks of {@code width} columns, each row-major with a row stride of {@code width}; block after
   * block, {@code rows} (the slot's capacity) rows each. Columns are padded to whole blocks.
   */
  record ColumnBlocks(int width) implements Layout {
    public ColumnBlocks {
      checkWidth(width);
    }

    @Override
    public long elements(long rows, long columns) {
      return Math.multiplyExact(rows, Sizes.roundUp(columns, width));
    }

    @Override
    public long index(long row, long column, long rows, long columns) {
      return (column / width * rows + row) * width + column % width;
    }

    @Override
    public int blockWidth(long columns) {
      return width;
    }

    @Override
    public String toString() {
      return "blocks of " + width;
    }
  }

  /**
   * A [K, N] weight as panels of {@code width} columns: for each panel, K rows of {@code width}
   * values, so that a kernel streams it in one direction. N is padded with zeros to whole panels.
   */
  record Panels(int width) implements Layout {
    public Panels {
      checkWidth(width);
    }

    @Override
    public long elements(long rows, long columns) {
      return Math.multiplyExact(rows, Sizes.roundUp(columns, width));
    }

    @Override
    public long index(long row, long column, long rows, long columns) {
      return (column / width * rows + row) * width + column % width;
    }

    @Override
    public int blockWidth(long columns) {
      return width;
    }

    @Override
    public String toString() {
      return "panels of " + width;
    }
  }

  /** Elements that a tensor of {@code rows} x {@code columns} takes, padding counted. */
  long elements(long rows, long columns);

  /** The place of element (row, column), in elements from the slot's start. */
  long index(long row, long column, long rows, long columns);

  /** How many columns of one row lie side by side before the next row follows. */
  int blockWidth(long columns);

  /** Bytes that a tensor of {@code rows} x {@code columns} takes, padding counted. */
  default long bytes(DType dtype, long rows, long columns) {
    return Math.multiplyExact(elements(rows, columns), (long) dtype.bytes());
  }

  /** The layout of host data and of every tensor no kernel wants otherwise. */
  static Layout rowMajor() {
    return new RowMajor();
  }

  private static void checkWidth(int width) {
    if (width < 1) {
      throw new IllegalArgumentException(
          "Cannot lay out columns in blocks of " + width + ": the width must be at least 1");
    }
  }
}
