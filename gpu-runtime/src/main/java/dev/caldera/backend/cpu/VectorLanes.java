package dev.caldera.backend.cpu;

import static dev.caldera.backend.cpu.Polynomials.*;

import dev.caldera.graph.Activation;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Elements and rows by the Vector API, in the JVM's preferred width up to 16 lanes.
 *
 * <p>Vectors stay in registers only where the compiler inlines everything that touches them. It
 * always inlines the API's own methods, but not helpers beneath a large caller; and it boxes a
 * vector that is carried through a nest of loops. So hot loops here are single, and call the API
 * itself, even where that repeats {@link #exp}.
 */
final class VectorLanes implements Lanes {
  private static final VectorSpecies<Float> S =
      FloatVector.SPECIES_PREFERRED.length() >= 16
          ? FloatVector.SPECIES_512
          : FloatVector.SPECIES_PREFERRED.length() == 8
              ? FloatVector.SPECIES_256
              : FloatVector.SPECIES_128;
  private static final int L = S.length();

  @Override
  public int lanes() {
    return L;
  }

  @Override
  public void add(float[] a, int aAt, float[] b, int bAt, float[] target, int targetAt, int count) {
    int i = 0;
    for (; i + L <= count; i += L) {
      FloatVector.fromArray(S, a, aAt + i)
          .add(FloatVector.fromArray(S, b, bAt + i))
          .intoArray(target, targetAt + i);
    }
    for (; i < count; i++) {
      target[targetAt + i] = a[aAt + i] + b[bAt + i];
    }
  }

  @Override
  public void activate(Activation activation, float[] x, int at, int count) {
    int end = at + count - count % L;
    switch (activation) {
      case NONE:
        return;
      case GELU_ERF:
        geluErf(x, at, end);
        break;
      case RELU:
        for (int i = at; i < end; i += L) {
          FloatVector.fromArray(S, x, i).max(0f).intoArray(x, i);
        }
        break;
      case GELU_TANH:
        for (int i = at; i < end; i += L) {
          FloatVector v = FloatVector.fromArray(S, x, i);
          FloatVector y =
              v.mul(v)
                  .fma(FloatVector.broadcast(S, TANH_GELU_3), FloatVector.broadcast(S, TANH_GELU_1))
                  .mul(v);
          v.div(exp(y).add(1f)).intoArray(x, i);
        }
        break;
      case SILU:
        for (int i = at; i < end; i += L) {
          FloatVector v = FloatVector.fromArray(S, x, i);
          v.div(exp(v.neg()).add(1f)).intoArray(x, i);
        }
        break;
      case TANH:
        for (int i = at; i < end; i += L) {
          FloatVector.broadcast(S, 2f)
              .div(exp(FloatVector.fromArray(S, x, i).mul(-2f)).add(1f))
              .sub(1f)
              .intoArray(x, i);
        }
        break;
    }
    for (int i = end; i < at + count; i++) {
      x[i] = PlainLanes.activate(activation, x[i]);
    }
  }

  private static void geluErf(float[] h, int from, int to) {
    for (int i = from; i < to; i += L) {
      FloatVector x = FloatVector.fromArray(S, h, i);
      FloatVector c =
          x.max(FloatVector.broadcast(S, -PHI_BOUND)).min(FloatVector.broadcast(S, PHI_BOUND));
      FloatVector u =
          c.mul(c).fma(FloatVector.broadcast(S, PHI_SCALE), FloatVector.broadcast(S, -1f));
      FloatVector p = FloatVector.broadcast(S, P12).fma(u, FloatVector.broadcast(S, P11));
      p = p.fma(u, FloatVector.broadcast(S, P10));
      p = p.fma(u, FloatVector.broadcast(S, P9));
      p = p.fma(u, FloatVector.broadcast(S, P8));
      p = p.fma(u, FloatVector.broadcast(S, P7));
      p = p.fma(u, FloatVector.broadcast(S, P6));
      p = p.fma(u, FloatVector.broadcast(S, P5));
      p = p.fma(u, FloatVector.broadcast(S, P4));
      p = p.fma(u, FloatVector.broadcast(S, P3));
      p = p.fma(u, FloatVector.broadcast(S, P2));
      p = p.fma(u, FloatVector.broadcast(S, P1));
      p = p.fma(u, FloatVector.broadcast(S, P0));
      c.fma(p, FloatVector.broadcast(S, 0.5f)).mul(x).intoArray(h, i);
    }
  }

  private static FloatVector exp(FloatVector x) {
    FloatVector t =
        x.max(FloatVector.broadcast(S, EXP_LOW))
            .min(FloatVector.broadcast(S, EXP_HIGH))
            .mul(FloatVector.broadcast(S, LOG2_E));
    FloatVector z = t.add(FloatVector.broadcast(S, ROUND));
    FloatVector f = t.sub(z.sub(FloatVector.broadcast(S, ROUND)));
    FloatVector p = FloatVector.broadcast(S, E6).fma(f, FloatVector.broadcast(S, E5));
    p = p.fma(f, FloatVector.broadcast(S, E4));
    p = p.fma(f, FloatVector.broadcast(S, E3));
    p = p.fma(f, FloatVector.broadcast(S, E2));
    p = p.fma(f, FloatVector.broadcast(S, E1));
    p = p.fma(f, FloatVector.broadcast(S, E0));
    return p.reinterpretAsInts()
        .add(z.reinterpretAsInts().lanewise(VectorOperators.LSHL, 23))
        .reinterpretAsFloats();
  }

  @Override
  public void softmax(
      float[] scores, int at, int keys, int columns, int stride, float[] inverse, int inverseAt) {
    for (int column = 0; column < columns; column += L) {
      int from = at + column;
      int end = from + keys * stride;
      softmax(scores, from, end, stride, inverse, inverseAt + column);
    }
  }

  /** One vector of columns. */
  private static void softmax(
      float[] scores, int from, int end, int stride, float[] inverse, int inverseAt) {
    FloatVector maximum = FloatVector.fromArray(S, scores, from);
    for (int i = from + stride; i < end; i += stride) {
      maximum = maximum.max(FloatVector.fromArray(S, scores, i));
    }
    FloatVector sum = FloatVector.zero(S);
    for (int i = from; i < end; i += stride) {
      FloatVector x = FloatVector.fromArray(S, scores, i).sub(maximum);
      FloatVector t =
          x.max(FloatVector.broadcast(S, EXP_LOW))
              .min(FloatVector.broadcast(S, EXP_HIGH))
              .mul(FloatVector.broadcast(S, LOG2_E));
      FloatVector z = t.add(FloatVector.broadcast(S, ROUND));
      FloatVector f = t.sub(z.sub(FloatVector.broadcast(S, ROUND)));
      FloatVector p = FloatVector.broadcast(S, E6).fma(f, FloatVector.broadcast(S, E5));
      p = p.fma(f, FloatVector.broadcast(S, E4));
      p = p.fma(f, FloatVector.broadcast(S, E3));
      p = p.fma(f, FloatVector.broadcast(S, E2));
      p = p.fma(f, FloatVector.broadcast(S, E1));
      p = p.fma(f, FloatVector.broadcast(S, E0));
      FloatVector e =
          p.reinterpretAsInts()
              .add(z.reinterpretAsInts().lanewise(VectorOperators.LSHL, 23))
              .reinterpretAsFloats();
      e.intoArray(scores, i);
      sum = sum.add(e);
    }
    FloatVector.broadcast(S, 1f).div(sum).intoArray(inverse, inverseAt);
  }

  @Override
  public void scale(float[] x, int at, int rows, int columns, float[] factors, int factorsAt) {
    for (int row = 0; row < rows; row++) {
      int from = at + row * Blocks.WIDTH;
      scale(x, from, from + columns, factors[factorsAt + row]);
    }
  }

  private static void scale(float[] x, int from, int to, float factor) {
    int i = from;
    for (; i + L <= to; i += L) {
      FloatVector.fromArray(S, x, i).mul(FloatVector.broadcast(S, factor)).intoArray(x, i);
    }
    for (; i < to; i++) {
      x[i] *= factor;
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
    int whole = columns - columns % PARTIALS;
    Arrays.fill(partials, 0f);
    for (int block = 0, p = at; block < whole; block += Blocks.WIDTH, p += step) {
      sums(x, p, p + Math.min(Blocks.WIDTH, whole - block), partials);
    }
    for (int i = whole; i < columns; i++) {
      partials[i - whole] += x[Blocks.place(at, step, i)];
    }
    float mean = Lanes.fold(partials) * (1f / columns);
    Arrays.fill(partials, 0f);
    for (int block = 0, p = at; block < whole; block += Blocks.WIDTH, p += step) {
      squares(x, p, p + Math.min(Blocks.WIDTH, whole - block), mean, partials);
    }
    for (int i = whole; i < columns; i++) {
      float d = x[Blocks.place(at, step, i)] - mean;
      partials[i - whole] = Math.fma(d, d, partials[i - whole]);
    }
    float factor = PlainLanes.factor(Lanes.fold(partials), columns, epsilon);
    for (int block = 0, p = at; block < whole; block += Blocks.WIDTH, p += step) {
      int count = Math.min(Blocks.WIDTH, whole - block);
      scale(x, p, count, mean, factor, gamma, gammaAt + block, beta, betaAt + block);
    }
    for (int i = whole; i < columns; i++) {
      int place = Blocks.place(at, step, i);
      x[place] = Math.fma((x[place] - mean) * factor, gamma[gammaAt + i], beta[betaAt + i]);
    }
  }

  private static void sums(float[] x, int from, int to, float[] partials) {
    for (int lane = 0; lane < PARTIALS; lane += L) {
      FloatVector sum = FloatVector.fromArray(S, partials, lane);
      for (int i = from + lane; i < to; i += PARTIALS) {
        sum = sum.add(FloatVector.fromArray(S, x, i));
      }
      sum.intoArray(partials, lane);
    }
  }

  private static void squares(float[] x, int from, int to, float mean, float[] partials) {
    FloatVector means = FloatVector.broadcast(S, mean);
    for (int lane = 0; lane < PARTIALS; lane += L) {
      FloatVector sum = FloatVector.fromArray(S, partials, lane);
      for (int i = from + lane; i < to; i += PARTIALS) {
        FloatVector d = FloatVector.fromArray(S, x, i).sub(means);
        sum = d.fma(d, sum);
      }
      sum.intoArray(partials, lane);
    }
  }

  private static void scale(
      float[] x,
      int at,
      int count,
      float mean,
      float factor,
      float[] gamma,
      int gammaAt,
      float[] beta,
      int betaAt) {
    FloatVector means = FloatVector.broadcast(S, mean);
    FloatVector factors = FloatVector.broadcast(S, factor);
    for (int i = 0; i < count; i += L) {
      FloatVector.fromArray(S, x, at + i)
          .sub(means)
          .mul(factors)
          .fma(
              FloatVector.fromArray(S, gamma, gammaAt + i),
              FloatVector.fromArray(S, beta, betaAt + i))
          .intoArray(x, at + i);
    }
  }
}
