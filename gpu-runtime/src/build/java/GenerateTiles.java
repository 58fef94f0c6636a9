import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the register tiles of the CPU backend: one class {@code Tiles<lanes>} a vector width, run
 * by the build.
 *
 * <pre>{@code
 * java GenerateTiles.java <folder for generated sources>
 * }</pre>
 *
 * <p>Terms: a <em>tile</em> is a piece of a product whose sums are held in vector registers, some
 * rows high and one or two vectors wide. A tile method is straight-line code over local variables,
 * which Java has no loop for; hence a generator.
 *
 * <p>What makes the tiles fast: row strides are literals, so that the compiler folds them into
 * addresses; the loop over depth is unrolled by two; the tallest tile leaves registers for it (24
 * of 32 hold sums with AVX-512 and NEON, 8 of 16 with AVX2; taller ones are slower). And every tile
 * method must stay a unit of compilation: HotSpot inlines a hot method of up to 325 bytes of code
 * into its caller, where vectors then are allocated; so low tiles are unrolled until they are
 * longer. And past some {@link #BUDGET} operations the compiler may call the API, and allocate too;
 * so tiles of 24 sums have no code for an odd depth: callers give them an even one.
 *
 * <p>What makes results repeatable: every element is one chain of fused multiply-adds with the
 * depth ascending, in every height.
 */
final class GenerateTiles {
  /** Row stride of activations: {@code Blocks.WIDTH}, or no kernel passes its test. */
  private static final int STRIDE = 384;

  /** Fused multiply-adds in the code of one tile that are surely compiled to instructions. */
  private static final int BUDGET = 48;

  private final int lanes;
  private final int panel;
  private final int[] heights;
  private final int unroll;
  private final StringBuilder out = new StringBuilder();

  private GenerateTiles(int lanes, int unroll, int... heights) {
    this.lanes = lanes;
    this.panel = 2 * lanes;
    this.unroll = unroll;
    this.heights = heights;
  }

  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0], "dev", "caldera", "backend", "cpu");
    Files.createDirectories(folder);
    for (GenerateTiles tiles :
        List.of(
            new GenerateTiles(16, 2, 12, 8, 4, 2, 1),
            new GenerateTiles(8, 2, 4, 2, 1),
            new GenerateTiles(4, 2, 12, 8, 4, 2, 1))) {
      Path file = folder.resolve("Tiles" + tiles.lanes + ".java");
      String source = tiles.source();
      if (!Files.exists(file) || !Files.readString(file).equals(source)) {
        Files.writeString(file, source);
      }
    }
  }

  private String source() {
    line(
        "package dev.caldera.backend.cpu;",
        "",
        "import jdk.incubator.vector.FloatVector;",
        "import jdk.incubator.vector.VectorSpecies;",
        "",
        "/** Register tiles of " + lanes + " lanes; generated, see GenerateTiles. */",
        "final class Tiles" + lanes + " implements Tiles {",
        "  private static final VectorSpecies<Float> S = FloatVector.SPECIES_" + lanes * 32 + ";",
        "",
        "  @Override",
        "  public int panel() {",
        "    return " + panel + ";",
        "  }",
        "",
        "  @Override",
        "  public int queries() {",
        "    return " + panel + ";",
        "  }");
    accumulate();
    for (int vectors = 2; vectors >= 1; vectors--) {
      scores(vectors);
      values(vectors);
    }
    line("",
        "  @Override",
        "  public void scores(float[] keys, int keysAt, int keyCount, float[] packed, int packedAt,"
            + " int queryCount, int depth, float[] scores, int scoresAt) {",
        "    if (queryCount > " + lanes + ") {",
        "      scoresx2(keys, keysAt, keyCount, packed, packedAt, depth, scores, scoresAt);",
        "    } else {",
        "      scoresx1(keys, keysAt, keyCount, packed, packedAt, depth, scores, scoresAt);",
        "    }",
        "  }",
        "",
        "  @Override",
        "  public void values(float[] scores, int scoresAt, int queryCount, int keyCount,"
            + " float[] values, int valuesAt, int columns,"
            + " float[] result, int resultAt) {",
        "    int j = 0;",
        "    for (; j + " + panel + " <= columns; j += " + panel + ") {",
        "      valuesx2(scores, scoresAt, queryCount, keyCount, values, valuesAt + j, result,"
            + " resultAt + j);",
        "    }",
        "    if (j < columns) {",
        "      valuesx1(scores, scoresAt, queryCount, keyCount, values, valuesAt + j, result,"
            + " resultAt + j);",
        "    }",
        "  }");
    line("}");
    return out.toString();
  }

  /** C += A B: A in rows of the stride, B a weight panel, C in rows of the stride. */
  private void accumulate() {
    for (int height : heights) {
      line("", "  private static void accumulate" + height
          + "(float[] a, int aAt, float[] b, int bAt, float[] c, int cAt, int depth) {");
      tile(height, 2, new Left(STRIDE, 1), panel, STRIDE, true);
    }
    line("",
        "  @Override",
        "  public void accumulate(float[] a, int aAt, float[] b, int bAt, int bStep,"
            + " float[] c, int cAt, int rows, int columns, int depth) {",
        "    int i = 0;");
    for (int height : heights) {
      boolean even = evenOnly(height, 2);
      line("    for (; i + " + height + " <= rows; i += " + height + ") {",
          "      for (int j = 0, p = bAt; j < columns; j += " + panel + ", p += bStep) {",
          "        accumulate" + height + "(a, aAt + i * " + STRIDE + ", b, p, c, cAt + i * "
              + STRIDE + " + j, " + (even ? "depth & ~1" : "depth") + ");");
      if (even) {
        line("        if ((depth & 1) != 0) {",
            "          for (int r = i; r < i + " + height + "; r++) {",
            "            accumulate1(a, aAt + r * " + STRIDE + " + depth - 1, b, p + (depth - 1) * "
                + panel + ", c, cAt + r * " + STRIDE + " + j, 1);",
            "          }",
            "        }");
      }
      line("      }",
          "    }");
    }
    line("  }");
  }

  /** C = A B: A keys in rows of the stride, B packed queries, C in rows of a panel. */
  private void scores(int vectors) {
    for (int height : heights) {
      line("", "  private static void scores" + height + "x" + vectors
          + "(float[] a, int aAt, float[] b, int bAt, float[] c, int cAt, int depth) {");
      tile(height, vectors, new Left(STRIDE, 1), panel, panel, false);
    }
    line("", "  private static void scoresx" + vectors + "(float[] keys, int keysAt, int keyCount,"
        + " float[] packed, int packedAt, int depth, float[] scores, int scoresAt) {",
        "    int i = 0;");
    for (int height : heights) {
      line("    for (; i + " + height + " <= keyCount; i += " + height + ") {",
          "      scores" + height + "x" + vectors + "(keys, keysAt + i * " + STRIDE
              + ", packed, packedAt, scores, scoresAt + i * " + panel + ", depth);",
          "    }");
    }
    line("  }");
  }

  /** C = A^T B: A scores in rows of a panel, B values in rows of the stride, C likewise. */
  private void values(int vectors) {
    for (int height : heights) {
      line("", "  private static void values" + height + "x" + vectors
          + "(float[] a, int aAt, float[] b, int bAt, float[] c,"
          + " int cAt, int depth) {");
      tile(height, vectors, new Left(1, panel), STRIDE, STRIDE, false);
    }
    line("", "  private static void valuesx" + vectors + "(float[] scores, int scoresAt,"
        + " int queryCount, int keyCount, float[] values, int valuesAt,"
        + " float[] result, int resultAt) {",
        "    int i = 0;");
    for (int height : heights) {
      line("    for (; i + " + height + " <= queryCount; i += " + height + ") {",
          "      values" + height + "x" + vectors + "(scores, scoresAt + i, values, valuesAt,"
              + " result, resultAt + i * " + STRIDE + ", keyCount);",
          "    }");
    }
    line("  }");
  }

  /**
   * The body of a tile method, closing brace included.
   *
   * @param left how A stands
   * @param bStride from one depth to the next in B
   * @param cStride from one row to the next in C
   * @param add whether the sums start from C instead of zero
   */
  private void tile(int height, int vectors, Left left, int bStride, int cStride, boolean add) {
    for (int row = 0; row < height; row++) {
      for (int v = 0; v < vectors; v++) {
        line("    FloatVector " + sum(row, v) + " = " + (add
            ? "FloatVector.fromArray(S, c, cAt + " + (row * cStride + v * lanes) + ");"
            : "FloatVector.zero(S);"));
      }
    }
    int steps = steps(height, vectors, left);
    line("    int p = 0;");
    if (steps > 1) {
      line("    for (; p + " + steps + " <= depth; p += " + steps + ") {");
      for (int u = 0; u < steps; u++) {
        step(height, vectors, left, bStride, u);
      }
      line("    }");
    }
    if (!evenOnly(height, vectors) || steps == 1) {
      line(steps == 2 ? "    if (p < depth) {" : "    for (; p < depth; p++) {");
      step(height, vectors, left, bStride, 0);
      line("    }");
    }
    for (int row = 0; row < height; row++) {
      for (int v = 0; v < vectors; v++) {
        line("    " + sum(row, v) + ".intoArray(c, cAt + "
            + (row * cStride + v * lanes) + ");");
      }
    }
    line("  }");
  }

  /** By how much the loop over depth is unrolled; a depth that counts keys may be odd. */
  private int steps(int height, int vectors, Left left) {
    if (evenOnly(height, vectors) && left.row() == 1) {
      return 1;
    }
    int steps = unroll;
    while (height * vectors < heights[0] * 2 && height * vectors * steps < BUDGET / 2) {
      steps *= 2;
    }
    return steps;
  }

  /** Whether a tile that is unrolled has no room for a single step behind its loop. */
  private boolean evenOnly(int height, int vectors) {
    return unroll > 1 && height * vectors * (unroll + 1) > BUDGET;
  }

  private void step(int height, int vectors, Left left, int bStride, int ahead) {
    List<String> right = new ArrayList<>();
    for (int v = 0; v < vectors; v++) {
      right.add("b" + ahead + "v" + v);
      line("      FloatVector " + right.get(v) + " = FloatVector.fromArray(S, b, bAt + p * "
          + bStride + " + " + (ahead * bStride + v * lanes) + ");");
    }
    for (int row = 0; row < height; row++) {
      String a = "a" + ahead + "r" + row;
      line("      FloatVector " + a + " = FloatVector.broadcast(S, a[" + left.place(row, ahead)
          + "]);");
      for (int v = 0; v < vectors; v++) {
        line("      " + sum(row, v) + " = " + a + ".fma(" + right.get(v) + ", " + sum(row, v)
            + ");");
      }
    }
  }

  /** Strides of A from one row, and from one depth, to the next. */
  private record Left(int row, int depth) {
    /** The place of A's element of a row, {@code ahead} steps after depth {@code p}. */
    String place(int i, int ahead) {
      return "aAt + p" + (depth == 1 ? "" : " * " + depth) + " + " + (i * row + ahead * depth);
    }
  }

  private static String sum(int row, int vector) {
    return "c" + row + "v" + vector;
  }

  private void line(String... lines) {
    for (String line : lines) {
      out.append(line).append('\n');
    }
  }
}
