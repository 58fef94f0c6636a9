package dev.caldera.backend.cpu;

import static dev.caldera.backend.cpu.Polynomials.*;

import dev.caldera.graph.Activation;

/** Plain loops, operation for operation what {@link VectorLanes} does. */
final class PlainLanes implements Lanes {

  @Override
  public int lanes() {
    return 1;
  }

  @Override
  public void add(float[] a, int aAt, float[] b, int bAt, float[] target, int targetAt, int count) {
    for (int i = 0; i < count; i++) {
      target[targetAt + i] = a[aAt + i] + b[bAt + i];
    }
  }

  @Override
  public void activate(Activation activation, float[] x, int at, int count) {
    if (activation == Activation.NONE) {
      return;
    }
    for (int i = at; i < at + count; i++) {
      x[i] = activate(activation, x[i]);
    }
  }

  /** The function's value; {@link VectorLanes} uses it for what does not fill a vector. */
  static float activate(Activation activation, float x) {
    switch (activation) {
      case RELU:
        return Math.max(x, 0f);
      case GELU_ERF:
        return geluErf(x);
      case GELU_TANH:
        float square = x * x;
        return x / (1f + exp(x * Math.fma(square, TANH_GELU_3, TANH_GELU_1)));
      case SILU:
        return x / (1f + exp(-x));
      case TANH:
        return 2f / (1f + exp(x * -2f)) - 1f;
      case NONE:
      default:
        return x;
    }
  }

  private static float geluErf(float x) {
    float c = Math.min(Math.max(x, -PHI_BOUND), PHI_BOUND);
    float u = Math.fma(c * c, PHI_SCALE, -1f);
    float p = Math.fma(P12, u, P11);
    p = Math.fma(p, u, P10);
    p = Math.fma(p, u, P9);
    p = Math.fma(p, u, P8);
    p = Math.fma(p, u, P7);
    p = Math.fma(p, u, P6);
    p = Math.fma(p, u, P5);
    p = Math.fma(p, u, P4);
    p = Math.fma(p, u, P3);
    p = Math.fma(p, u, P2);
    p = Math.fma(p, u, P1);
    p = Math.fma(p, u, P0);
    return Math.fma(c, p, 0.5f) * x;
  }

  /** exp(x), x held within {@link Polynomials#EXP_LOW} and {@link Polynomials#EXP_HIGH}. */
  static float exp(float x) {
    float t = Math.min(Math.max(x, EXP_LOW), EXP_HIGH) * LOG2_E;
    float z = t + ROUND;
    float f = t - (z - ROUND);
    float p = Math.fma(E6, f, E5);
    p = Math.fma(p, f, E4);
    p = Math.fma(p, f, E3);
    p = Math.fma(p, f, E2);
    p = Math.fma(p, f, E1);
    p = Math.fma(p, f, E0);
    return Float.intBitsToFloat(Float.floatToRawIntBits(p) + (Float.floatToRawIntBits(z) << 23));
  }

  @Override
  public void softmax(
      float[] scores, int at, int keys, int columns, int stride, float[] inverse, int inverseAt) {
    for (int column = 0; column < columns; column++) {
      int end = at + column + keys * stride;
      float maximum = scores[at + column];
      for (int i = at + column + stride; i < end; i += stride) {
        maximum = Math.max(maximum, scores[i]);
      }
      float sum = 0;
      for (int i = at + column; i < end; i += stride) {
        float e = exp(scores[i] - maximum);
        scores[i] = e;
        sum += e;
      }
      inverse[inverseAt + column] = 1f / sum;
    }
  }

  @Override
  public void scale(float[] x, int at, int rows, int columns, float[] factors, int factorsAt) {
    for (int row = 0; row < rows; row++) {
      float factor = factors[factorsAt + row];
      int from = at + row * Blocks.WIDTH;
      for (int i = from; i < from + columns; i++) {
        x[i] *= factor;
      }
    }
  }

  @Override
  public void normalize(
      float[] x,
      int at,
      int step,
      int columns,
      float[] gamma,
      int gammaAt,
      float[] beta,
      int betaAt,
      float epsilon,
      float[] partials) {
    java.util.Arrays.fill(partials, 0f);
    for (int i = 0; i < columns; i++) {
      partials[i % PARTIALS] += x[Blocks.place(at, step, i)];
    }
    float mean = Lanes.fold(partials) * (1f / columns);
    java.util.Arrays.fill(partials, 0f);
    for (int i = 0; i < columns; i++) {
      float d = x[Blocks.place(at, step, i)] - mean;
      partials[i % PARTIALS] = Math.fma(d, d, partials[i % PARTIALS]);
    }
    float factor = factor(Lanes.fold(partials), columns, epsilon);
    for (int i = 0; i < columns; i++) {
      int place = Blocks.place(at, step, i);
      x[place] = Math.fma((x[place] - mean) * factor, gamma[gammaAt + i], beta[betaAt + i]);
    }
  }

  /** 1 / sqrt(variance + epsilon). */
  static float factor(float squares, int columns, float epsilon) {
    return (float) (1 / Math.sqrt(squares * (1f / columns) + epsilon));
  }
}
