package dev.caldera.backend.cpu;

import dev.caldera.graph.Op;
import java.util.List;

/** A function of each element, in double precision. */
final class UnaryKernel extends Primitive<Op.Unary> {
  UnaryKernel() {
    super(Op.Unary.class);
  }

  @Override
  void compute(String node, Op.Unary op, RunScope scope, List<Tensor> inputs, Tensor output) {
    Tensor x = inputs.get(0);
    for (int i = 0; i < output.size(); i++) {
      switch (op.kind()) {
        case NOT:
          output.setWhole(i, x.whole(i) == 0 ? 1 : 0);
          break;
        case NEGATE:
          if (x.dtype().isFloat()) {
            output.setReal(i, -x.real(i));
          } else {
            output.setWhole(i, -x.whole(i));
          }
          break;
        default:
          output.setReal(i, value(op.kind(), x.real(i)));
      }
    }
  }

  private static double value(Op.UnaryKind kind, double x) {
    switch (kind) {
      case ERF:
        return erf(x);
      case SQRT:
        return Math.sqrt(x);
      case TANH:
        return Math.tanh(x);
      case EXP:
        return Math.exp(x);
      case RECIPROCAL:
        return 1 / x;
      case RELU:
        return Math.max(x, 0);
      case SIGMOID:
        return 1 / (1 + Math.exp(-x));
      case GELU_ERF:
        return 0.5 * x * (1 + erf(x * Math.sqrt(0.5)));
      case GELU_TANH:
        return 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)));
      case NEGATE:
      case NOT:
      default:
        throw new IllegalStateException("Cannot compute " + kind + " of a number");
    }
  }

  /** 2/sqrt(pi) exp(-x^2) (x + 2/3 x^3 + 4/15 x^5 + ..), a sum of terms of one sign. */
  private static double erf(double x) {
    if (!(Math.abs(x) < 6)) {
      return Double.isNaN(x) ? x : Math.signum(x);
    }
    double term = x;
    double sum = x;
    for (int n = 1; Math.abs(term) > Math.abs(sum) * 1e-17; n++) {
      term *= 2 * x * x / (2 * n + 1);
      sum += term;
    }
    return 2 / Math.sqrt(Math.PI) * Math.exp(-x * x) * sum;
  }
}
