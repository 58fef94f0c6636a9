package dev.caldera.backend.cpu;

/**
 * Coefficients of the functions that {@link VectorLanes} and {@link PlainLanes} compute alike,
 * highest power first.
 */
final class Polynomials {

  /**
   * 2^f for f in [-1/2, 1/2], interpolated in Chebyshev nodes, degree 6; relative error 2e-7.
   *
   * <p>exp(x) = 2^n 2^f with n the whole number nearest to x / ln 2.
   */
  static final float E6 = 0.00015461444854736328f;

  static final float E5 = 0.0013400427997112274f;
  static final float E4 = 0.009618056938052177f;
  static final float E3 = 0.05550327152013779f;
  static final float E2 = 0.24022650718688965f;
  static final float E1 = 0.6931471824645996f;
  static final float E0 = 1f;

  /** 1 / ln 2. */
  static final float LOG2_E = 1.44269504f;

  /** 1.5 * 2^23: adding it rounds to a whole number, which stands in the lowest bits of the sum. */
  static final float ROUND = 12582912f;

  /** Bounds of exp's argument: the result is neither denormal nor infinite. */
  static final float EXP_LOW = -87f;

  static final float EXP_HIGH = 88f;

  /**
   * p in Phi(x) = 1/2 + x p(2 x^2 / 25 - 1), Phi the normal distribution function, interpolated in
   * Chebyshev nodes on |x| at most 5, degree 12; x Phi(x) has an absolute error of at most 1.7e-6.
   */
  static final float P12 = 0.0007059529889374971f;

  static final float P11 = -0.0016740310238674283f;
  static final float P10 = 0.0014626316260546446f;
  static final float P9 = -0.002534322440624237f;
  static final float P8 = 0.006667809095233679f;
  static final float P7 = -0.011299743317067623f;
  static final float P6 = 0.016287069767713547f;
  static final float P5 = -0.02321634441614151f;
  static final float P4 = 0.031464871019124985f;
  static final float P3 = -0.04045071080327034f;
  static final float P2 = 0.051518943160772324f;
  static final float P1 = -0.07029593533873558f;
  static final float P0 = 0.14136379957199097f;

  /** Beyond it, Phi is 0 or 1 to single precision. */
  static final float PHI_BOUND = 5f;

  /** Maps x^2 to [-1, 1]. */
  static final float PHI_SCALE = 2f / 25f;

  /** Of GELU's approximation by tanh, which is x / (1 + exp(-2 y)), y = A x + B x^3: -2 A, -2 B. */
  static final float TANH_GELU_1 = -1.5957691216057308f;

  static final float TANH_GELU_3 = -0.07135481282920035f;

  private Polynomials() {}
}
