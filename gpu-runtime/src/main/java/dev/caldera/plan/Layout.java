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
    public String toString() {
      return "row-major";
    }
  }

  /**
   * Blocks of {@code width} columns, each row-major with a row stride of {@code width}; block after
   * block, {@code rows} (the slot's capacity) rows each. Columns are padded to whole blocks.
   */
  record ColumnBlocks(int width) implements Layout {
    @Override
    public long elements(long rows, long columns) {
      return Math.multiplyExact(rows, roundUp(columns, width));
    }

    @Override
    public long index(long row, long column, long rows, long columns) {
      return (column / width * rows + row) * width + column % width;
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
    @Override
    public long elements(long rows, long columns) {
      return Math.multiplyExact(rows, roundUp(columns, width));
    }

    @Override
    public long index(long row, long column, long rows, long columns) {
      return (column / width * rows + row) * width + column % width;
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

  /** Bytes that a tensor of {@code rows} x {@code columns} takes, padding counted. */
  default long bytes(DType dtype, long rows, long columns) {
    return Math.multiplyExact(elements(rows, columns), (long) dtype.bytes());
  }

  /** The layout of host data and of every tensor no kernel wants otherwise. */
  static Layout rowMajor() {
    return new RowMajor();
  }

  private static long roundUp(long value, long multiple) {
    return Math.multiplyExact(Math.addExact(value, multiple - 1) / multiple, multiple);
  }
}
