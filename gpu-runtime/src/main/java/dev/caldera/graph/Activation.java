package dev.caldera.graph;

/** A pointwise function in the epilogue of a {@link Op.Linear}. */
public enum Activation {
  /** x. */
  NONE,
  /** max(x, 0). */
  RELU,
  /** x * Phi(x), Phi the normal distribution function, by erf. */
  GELU_ERF,
  /** 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))). */
  GELU_TANH,
  /** x / (1 + exp(-x)). */
  SILU,
  /** tanh(x). */
  TANH
}
