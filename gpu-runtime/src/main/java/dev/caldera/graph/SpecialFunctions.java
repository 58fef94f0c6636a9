package dev.caldera.graph;

/** Functions of neural networks in double precision. */
final class SpecialFunctions {

  private SpecialFunctions() {}

  /**
   * The error function, by the series of positive terms erf(x) = 2/sqrt(pi) exp(-x^2) sum over n of
   * 2^n x^(2n+1) / (1 3 5 .. (2n+1)).
   */
  static double erf(double x) {
    if (Double.isNaN(x)) {
      return x;
    }
    if (Math.abs(x) > 6) {
      return Math.signum(x);
    }
    double term = x;
    double sum = x;
    for (int n = 1; Math.abs(term) > Math.abs(sum) * 1e-17; n++) {
      term *= 2 * x * x / (2 * n + 1);
      sum += term;
    }
    return 2 / Math.sqrt(Math.PI) * Math.exp(-x * x) * sum;
  }

  static double geluErf(double x) {
    return 0.5 * x * (1 + erf(x / Math.sqrt(2)));
  }

  static double geluTanh(double x) {
    return 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x)));
  }

  static double sigmoid(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  static double activate(Activation activation, double x) {
    return switch (activation) {
      case NONE -> x;
      case RELU -> Math.max(x, 0);
      case GELU_ERF -> geluErf(x);
      case GELU_TANH -> geluTanh(x);
      case SILU -> x * sigmoid(x);
      case TANH -> Math.tanh(x);
    };
  }
}
