package dev.caldera.backend.cpu;

import dev.caldera.graph.Activation;

/**
 * What kernels do to single elements and rows besides products: vector or plain, with equal bits.
 *
 * <p>No function of the platform's mathematics library is used, and sums over a row go in one fixed
 * tree, so that results do not depend on the width of vectors or on the JVM: element i is added to
 * partial sum i mod {@link #PARTIALS}, and {@link #fold} adds the partial sums.
 */
interface Lanes {
  /** Partial sums of a row; a multiple of every vector width. */
  int PARTIALS = 32;

  /** Elements of a vector: a piece of a row handed to {@link Tiles#values} is a multiple of it. */
  int lanes();

  /** target = a + b. */
  void add(float[] a, int aAt, float[] b, int bAt, float[] target, int targetAt, int count);

  /** Applies a function in place. */
  void activate(Activation activation, float[] x, int at, int count);

  /**
   * Turns columns of scores into exp(score - maximum of the column).
   *
   * @param scores [keys][stride] at {@code at}
   * @param columns how many columns; the rest of the last vector is undefined afterwards
   * @param inverse takes the reciprocal of each column's sum
   */
  void softmax(
      float[] scores, int at, int keys, int columns, int stride, float[] inverse, int inverseAt);

  /** Multiplies each of {@code rows} rows of activations, one block wide at most, by its factor. */
  void scale(float[] x, int at, int rows, int columns, float[] factors, int factorsAt);

  /**
   * Normalises a row of activations in place to mean 0 and variance 1, scales and shifts it.
   *
   * @param at first element of the row
   * @param step from one block of the row to the next
   * @param columns of the row
   * @param gamma scale, beta shift
   * @param partials room for {@link #PARTIALS} elements
   */
  void normalize(
      float[] x,
      int at,
      int step,
      int columns,
      float[] gamma,
      int gammaAt,
      float[] beta,
      int betaAt,
      float epsilon,
      float[] partials);

  /** The sum of {@link #PARTIALS} partial sums, as a fixed tree. */
  static float fold(float[] partials) {
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
    int half = PARTIALS / 2;
    for (int i = 0; i < half; i += 4) {
      a += partials[i] + partials[i + half];
      b += partials[i + 1] + partials[i + 1 + half];
      c += partials[i + 2] + partials[i + 2 + half];
      d += partials[i + 3] + partials[i + 3 + half];
    }
    return (a + c) + (b + d);
  }
}
