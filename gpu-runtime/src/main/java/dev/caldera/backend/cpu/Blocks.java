package dev.caldera.backend.cpu;

import dev.caldera.plan.Layout;

/**
 * Activations in column blocks: a matrix cut into blocks of {@link #WIDTH} columns, each with a row
 * stride of {@link #WIDTH}, so that kernels know the stride when they are compiled.
 *
 * @param data an arena's array
 * @param at the place of row 0, column 0
 * @param capacity rows of each block
 */
record Blocks(float[] data, int at, int capacity) {

  /**
   * Columns of a block. It is a multiple of every panel and of 64 and 128, so that most heads of
   * attention lie within one block; and with 384 values a strip of {@link Tiles#STRIP} rows fills a
   * third of a core's nearest cache.
   */
  static final int WIDTH = 384;

  /** How such a matrix is planned. */
  static final Layout LAYOUT = new Layout.ColumnBlocks(WIDTH);

  /** The place of an element. */
  int place(int row, int column) {
    return at + (column / WIDTH * capacity + row) * WIDTH + column % WIDTH;
  }

  /** Elements from a block to the next. */
  int step() {
    return capacity * WIDTH;
  }

  /** Copies the first columns of a row into {@code target}. */
  void read(int row, float[] target) {
    for (int column = 0; column < target.length; column += WIDTH) {
      int count = Math.min(WIDTH, target.length - column);
      System.arraycopy(data, place(row, column), target, column, count);
    }
  }

  /** Whether columns [from, from + count) lie within one block. */
  static boolean within(int from, int count) {
    return from / WIDTH == (from + count - 1) / WIDTH;
  }

  /**
   * The place of a column of the row that begins at {@code at}, with {@code step} between blocks.
   */
  static int place(int at, int step, int column) {
    return at + column / WIDTH * step + column % WIDTH;
  }
}
