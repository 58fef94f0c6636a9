package dev.caldera.backend.cpu;

import static dev.caldera.backend.cpu.Polynomials.*;

import dev.caldera.graph.Activation;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** Elements and rows by the Vector API, in the JVM's preferred width up to 16 lanes. */
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
      load(a, aAt + i).add(load(b, bAt + i)).intoArray(target, targetAt + i);
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
          load(x, i).max(0f).intoArray(x, i);
        }
        break;
      case GELU_TANH:
        for (int i = at; i < end; i += L) {
          FloatVector v = load(x, i);
          FloatVector y = v.mul(v).fma(all(TANH_GELU_3), all(TANH_GELU_1)).mul(v);
          v.div(exp(y).add(1f)).intoArray(x, i);
        }
        break;
      case SILU:
        for (int i = at; i < end; i += L) {
          FloatVector v = load(x, i);
          v.div(exp(v.neg()).add(1f)).intoArray(x, i);
        }
        break;
      case TANH:
        for (int i = at; i < end; i += L) {
          all(2f).div(exp(load(x, i).mul(-2f)).add(1f)).sub(1f).intoArray(x, i);
        }
        break;
    }
    for (int i = end; i < at + count; i++) {
      x[i] = PlainLanes.activate(activation, x[i]);
    }
  }

  private static void geluErf(float[] h, int from, int to) {
    for (int i = from; i < to; i += L) {
      FloatVector x = load(h, i);
      FloatVector c = x.max(all(-PHI_BOUND)).min(all(PHI_BOUND));
      FloatVector u = c.mul(c).fma(all(PHI_SCALE), all(-1f));
      FloatVector p = all(P12).fma(u, all(P11));
      p = p.fma(u, all(P10));
      p = p.fma(u, all(P9));
      p = p.fma(u, all(P8));
      p = p.fma(u, all(P7));
      p = p.fma(u, all(P6));
      p = p.fma(u, all(P5));
      p = p.fma(u, all(P4));
      p = p.fma(u, all(P3));
      p = p.fma(u, all(P2));
      p = p.fma(u, all(P1));
      p = p.fma(u, all(P0));
      c.fma(p, all(0.5f)).mul(x).intoArray(h, i);
    }
  }

  private static FloatVector exp(FloatVector x) {
    FloatVector t = x.max(all(EXP_LOW)).min(all(EXP_HIGH)).mul(all(LOG2_E));
    FloatVector z = t.add(all(ROUND));
    FloatVector f = t.sub(z.sub(all(ROUND)));
    FloatVector p = all(E6).fma(f, all(E5));
    p = p.fma(f, all(E4));
    p = p.fma(f, all(E3));
    p = p.fma(f, all(E2));
    p = p.fma(f, all(E1));
    p = p.fma(f, all(E0));
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
      FloatVector maximum = load(scores, from);
      for (int i = from + stride; i < end; i += stride) {
        maximum = maximum.max(load(scores, i));
      }
      FloatVector sum = FloatVector.zero(S);
      for (int i = from; i < end; i += stride) {
        FloatVector e = exp(load(scores, i).sub(maximum));
        e.intoArray(scores, i);
        sum = sum.add(e);
      }
      all(1f).div(sum).intoArray(inverse, inverseAt + column);
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
    for (int lane = 0; lane < PARTIALS; lane += L) {
      FloatVector sum = FloatVector.zero(S);
      for (int block = 0, p = at; block < whole; block += Blocks.WIDTH, p += step) {
        int end = p + Math.min(Blocks.WIDTH, whole - block);
        for (int i = p + lane; i < end; i += PARTIALS) {
          sum = sum.add(load(x, i));
        }
      }
      sum.intoArray(partials, lane);
    }
    for (int i = whole; i < columns; i++) {
      partials[i - whole] += x[Blocks.place(at, step, i)];
    }
    float mean = Lanes.fold(partials) * (1f / columns);
    FloatVector means = all(mean);
    for (int lane = 0; lane < PARTIALS; lane += L) {
      FloatVector sum = FloatVector.zero(S);
      for (int block = 0, p = at; block < whole; block += Blocks.WIDTH, p += step) {
        int end = p + Math.min(Blocks.WIDTH, whole - block);
        for (int i = p + lane; i < end; i += PARTIALS) {
          FloatVector d = load(x, i).sub(means);
          sum = d.fma(d, sum);
        }
      }
      sum.intoArray(partials, lane);
    }
    for (int i = whole; i < columns; i++) {
      float d = x[Blocks.place(at, step, i)] - mean;
      partials[i - whole] = Math.fma(d, d, partials[i - whole]);
    }
    float factor = PlainLanes.factor(Lanes.fold(partials), columns, epsilon);
    FloatVector factors = all(factor);
    for (int block = 0, p = at; block < whole; block += Blocks.WIDTH, p += step) {
      int count = Math.min(Blocks.WIDTH, whole - block);
      for (int i = 0; i < count; i += L) {
        load(x, p + i)
            .sub(means)
            .mul(factors)
            .fma(load(gamma, gammaAt + block + i), load(beta, betaAt + block + i))
            .intoArray(x, p + i);
      }
    }
    for (int i = whole; i < columns; i++) {
      int place = Blocks.place(at, step, i);
      x[place] = Math.fma((x[place] - mean) * factor, gamma[gammaAt + i], beta[betaAt + i]);
    }
  }

  private static FloatVector load(float[] x, int at) {
    return FloatVector.fromArray(S, x, at);
  }

  private static FloatVector all(float value) {
    return FloatVector.broadcast(S, value);
  }
}
