package dev.caldera.backend.cpu;

/** The scale and shift of a layer normalisation, applied to rows in place. */
final class RowNorm {
  private final Lanes lanes;
  private final Place gamma;
  private final Place beta;
  private final float epsilon;

  RowNorm(Compute compute, Place gamma, Place beta, float epsilon) {
    this.lanes = compute.lanes();
    this.gamma = gamma;
    this.beta = beta;
    this.epsilon = epsilon;
  }

  /**
   * Normalises a row in place.
   *
   * @param partials room for {@link Lanes#PARTIALS} elements
   */
  void apply(RunScope scope, Blocks x, int row, int columns, float[] partials) {
    lanes.normalize(
        x.data(),
        x.place(row, 0),
        x.step(),
        columns,
        gamma.data(scope),
        gamma.at(),
        beta.data(scope),
        beta.at(),
        epsilon,
        partials);
  }
}
