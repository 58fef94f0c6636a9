#version 460
// A function of each element, by the ordinal of Op.UnaryKind.
// variant f32: -DELEMENT=float
// variant bool: -DELEMENT=uint8_t
#include "lib/element.glsl"
#include "lib/each_element.glsl"
#include "lib/functions.glsl"
layout(constant_id = 1) const uint KIND = 0;
layout(push_constant) uniform Push {
  Elements x;
  Results y;
  uint count;
};
float apply(float x) {
  switch (KIND) {
    case 0: return erf(x);
    case 1: return sqrt(x);
    case 2: return hyperbolicTangent(x);
    case 3: return exp(x);
    case 4: return -x;
    case 5: return 1.0 / x;
    case 6: return max(x, 0.0);
    case 7: return sigmoid(x);
    case 8: return x == 0.0 ? 1.0 : 0.0;
    case 9: return geluErf(x);
    default: return geluTanh(x);
  }
}
void main() {
  for (EACH_ELEMENT(i, count)) y.at[i] = ELEMENT(apply(float(x.at[i])));
}
