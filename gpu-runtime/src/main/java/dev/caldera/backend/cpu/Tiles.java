package dev.caldera.backend.cpu;

/**
 * Matrix products over pieces that stay in a core's nearest cache, in single precision.
 *
 * <p>Activations stand in rows of {@link Blocks#WIDTH}; weights in panels of {@link #panel()}
 * columns, row after row. Every element of a result is one chain of fused multiply-adds with the
 * depth ascending, whatever the number of rows, so all implementations give the same bits and a
 * row's bits do not depend on the rows beside it.
 *
 * <p>{@code TilesN} (generated) hold the sums in vectors of N lanes; {@link PlainTiles} are loops.
 */
interface Tiles {

  /**
   * Most rows that one call of {@link #accumulate} should be given: its left side then stays in
   * cache.
   */
  int STRIP = 12;

  /** Columns of a weight panel; divides {@link Blocks#WIDTH}. */
  int panel();

  /** Queries of a panel of {@link #scores}; divides {@link Blocks#WIDTH}. */
  int queries();

  /**
   * C += A B, within one block of C.
   *
   * @param a activations, A's first element at {@code aAt}
   * @param b weights, B's first row of its first panel at {@code bAt}
   * @param bStep elements from one panel of B to the next
   * @param c activations, C's first element at {@code cAt}; written up to whole panels
   * @param columns of B and C, at most {@link Blocks#WIDTH}
   * @param depth columns of A and rows of B, at most {@link Blocks#WIDTH}
   */
  void accumulate(
      float[] a,
      int aAt,
      float[] b,
      int bAt,
      int bStep,
      float[] c,
      int cAt,
      int rows,
      int columns,
      int depth);

  /**
   * Products of keys and queries: scores[key][query], in rows of {@link #queries()}.
   *
   * @param keys in rows of {@link Blocks#WIDTH}
   * @param packed queries: [depth][{@link #queries()}], with zeros where there is no query
   * @param queryCount how many queries there are; the columns of others are undefined
   * @param depth an even number
   */
  void scores(
      float[] keys,
      int keysAt,
      int keyCount,
      float[] packed,
      int packedAt,
      int queryCount,
      int depth,
      float[] scores,
      int scoresAt);

  /**
   * Sums of values: result[query][column] = sum over keys of scores[key][query] *
   * values[key][column].
   *
   * @param scores in rows of {@link #queries()}
   * @param values in rows of {@link Blocks#WIDTH}, likewise the result
   * @param columns a multiple of the vector's lanes
   */
  void values(
      float[] scores,
      int scoresAt,
      int queryCount,
      int keyCount,
      float[] values,
      int valuesAt,
      int columns,
      float[] result,
      int resultAt);
}
