package dev.caldera.backend.cpu;

import jdk.incubator.vector.FloatVector;

/**
 * Makes the {@link Compute} of the Vector API. It is loaded by name, after the module was found,
 * and loads the tiles of one width only: two widths in one JVM slow each other down.
 */
final class VectorCompute implements java.util.function.Supplier<Compute> {

  @Override
  public Compute get() {
    int lanes = Math.min(16, FloatVector.SPECIES_PREFERRED.length());
    Tiles tiles = lanes == 16 ? new Tiles16() : lanes == 8 ? new Tiles8() : new Tiles4();
    if (lanes < 4) {
      throw new UnsupportedOperationException("its preferred vectors have " + lanes + " lanes");
    }
    return new Compute(
        "Vector API, " + lanes + " lanes", "the fastest here", tiles, new VectorLanes());
  }
}
