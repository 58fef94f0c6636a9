package dev.caldera.graph;

import java.util.Random;

/** Tensors of reproducible random elements, for tests. */
public final class RandomTensors {

  private RandomTensors() {}

  /** F32 elements of a normal distribution. */
  public static HostTensor normal(long seed, long... dims) {
    Random random = new Random(seed);
    float[] values = new float[HostTensor.elements(dims)];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return HostTensor.floats(values, dims);
  }

  /** I32 elements in [0, bound). */
  public static HostTensor ints(long seed, int bound, long... dims) {
    return HostTensor.ints(
        new Random(seed).ints(HostTensor.elements(dims), 0, bound).toArray(), dims);
  }
}
