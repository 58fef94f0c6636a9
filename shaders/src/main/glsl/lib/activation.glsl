// The activation of an epilogue, by the ordinal of dev.caldera.graph.Activation.
#include "lib/functions.glsl"
float activate(uint activation, float x) {
  switch (activation) {
    case 1: return max(x, 0.0);
    case 2: return geluErf(x);
    case 3: return geluTanh(x);
    case 4: return x * sigmoid(x);
    case 5: return hyperbolicTangent(x);
    default: return x;
  }
}
