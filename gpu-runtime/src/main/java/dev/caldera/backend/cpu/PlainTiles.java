package dev.caldera.backend.cpu;

/**
 * Products by loops that HotSpot's compiler turns into vector instructions on its own.
 *
 * <p>It does so when every row of the right side is an array of its own and no index has an offset;
 * so pieces are copied into such arrays, and one copy serves {@link Tiles#STRIP} rows. The sum of
 * an element takes four depths at a time, in one chain, the depth ascending.
 */
final class PlainTiles implements Tiles {
  private static final int UNROLL = 4;

  @Override
  public int panel() {
    return Blocks.WIDTH;
  }

  @Override
  public int queries() {
    return 32;
  }

  @Override
  public void accumulate(
      float[] a,
      int aAt,
      float[] b,
      int bAt,
      int bStep,
      float[] c,
      int cAt,
      int rows,
      int columns,
      int depth) {
    float[][] sums = new float[rows][columns];
    for (int row = 0; row < rows; row++) {
      System.arraycopy(c, cAt + row * Blocks.WIDTH, sums[row], 0, columns);
    }
    multiply(a, aAt, Blocks.WIDTH, 1, b, bAt, panel(), sums, columns, depth);
    for (int row = 0; row < rows; row++) {
      System.arraycopy(sums[row], 0, c, cAt + row * Blocks.WIDTH, columns);
    }
  }

  @Override
  public void scores(
      float[] keys,
      int keysAt,
      int keyCount,
      float[] packed,
      int packedAt,
      int queryCount,
      int depth,
      float[] scores,
      int scoresAt) {
    for (int key = 0; key < keyCount; key += STRIP) {
      float[][] sums = new float[Math.min(STRIP, keyCount - key)][queries()];
      multiply(
          keys,
          keysAt + key * Blocks.WIDTH,
          Blocks.WIDTH,
          1,
          packed,
          packedAt,
          queries(),
          sums,
          queries(),
          depth);
      for (int row = 0; row < sums.length; row++) {
        System.arraycopy(sums[row], 0, scores, scoresAt + (key + row) * queries(), queries());
      }
    }
  }

  @Override
  public void values(
      float[] scores,
      int scoresAt,
      int queryCount,
      int keyCount,
      float[] values,
      int valuesAt,
      int columns,
      float[] result,
      int resultAt) {
    float[][] sums = new float[queryCount][columns];
    multiply(
        scores, scoresAt, 1, queries(), values, valuesAt, Blocks.WIDTH, sums, columns, keyCount);
    for (int row = 0; row < queryCount; row++) {
      System.arraycopy(sums[row], 0, result, resultAt + row * Blocks.WIDTH, columns);
    }
  }

  /** sums += A B, with A's element (row, depth) at aAt + row * aRow + depth * aDepth. */
  private static void multiply(
      float[] a,
      int aAt,
      int aRow,
      int aDepth,
      float[] b,
      int bAt,
      int bRow,
      float[][] sums,
      int columns,
      int depth) {
    float[] b0 = new float[columns];
    float[] b1 = new float[columns];
    float[] b2 = new float[columns];
    float[] b3 = new float[columns];
    int p = 0;
    for (; p + UNROLL <= depth; p += UNROLL) {
      System.arraycopy(b, bAt + p * bRow, b0, 0, columns);
      System.arraycopy(b, bAt + (p + 1) * bRow, b1, 0, columns);
      System.arraycopy(b, bAt + (p + 2) * bRow, b2, 0, columns);
      System.arraycopy(b, bAt + (p + 3) * bRow, b3, 0, columns);
      for (int row = 0; row < sums.length; row++) {
        int at = aAt + row * aRow + p * aDepth;
        float a0 = a[at];
        float a1 = a[at + aDepth];
        float a2 = a[at + 2 * aDepth];
        float a3 = a[at + 3 * aDepth];
        add(sums[row], a0, b0, a1, b1, a2, b2, a3, b3);
      }
    }
    for (; p < depth; p++) {
      System.arraycopy(b, bAt + p * bRow, b0, 0, columns);
      for (int row = 0; row < sums.length; row++) {
        add(sums[row], a[aAt + row * aRow + p * aDepth], b0);
      }
    }
  }

  private static void add(
      float[] c,
      float a0,
      float[] b0,
      float a1,
      float[] b1,
      float a2,
      float[] b2,
      float a3,
      float[] b3) {
    for (int j = 0; j < c.length; j++) {
      c[j] =
          Math.fma(a3, b3[j], Math.fma(a2, b2[j], Math.fma(a1, b1[j], Math.fma(a0, b0[j], c[j]))));
    }
  }

  private static void add(float[] c, float a, float[] b) {
    for (int j = 0; j < c.length; j++) {
      c[j] = Math.fma(a, b[j], c[j]);
    }
  }
}
