// Pointwise functions to float accuracy; the absolute error of erf is below 1.5e-7.
// Abramowitz and Stegun 7.1.26: 1 - erf(x) as a polynomial in 1 / (1 + p x), times exp(-x x).
float erf(float x) {
  float z = abs(x);
  float t = 1.0 / fma(0.3275911, z, 1.0);
  float p = fma(fma(fma(fma(1.061405429, t, -1.453152027), t, 1.421413741), t, -0.284496736), t, 0.254829592);
  return sign(x) * (1.0 - p * t * exp(-z * z));
}
float hyperbolicTangent(float x) { return sign(x) * (1.0 - 2.0 / (exp(2.0 * min(abs(x), 20.0)) + 1.0)); }
float sigmoid(float x) { return 1.0 / (1.0 + exp(-x)); }
float geluErf(float x) { return 0.5 * x * (1.0 + erf(x * 0.70710678118654752)); }
float geluTanh(float x) {
  return 0.5 * x * (1.0 + hyperbolicTangent(0.79788456080286536 * fma(0.044715 * x * x, x, x)));
}
