#version 460
// x where the condition holds, else y; all broadcast by strides of 0.
// variant w1: -DELEMENT=uint8_t
// variant w2: -DELEMENT=uint16_t
// variant w4: -DELEMENT=uint
// variant w8: -DELEMENT=uvec2
#include "lib/element.glsl"
#include "lib/each_element.glsl"
#include "lib/strides.glsl"
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Conditions { uint8_t at[]; };
layout(push_constant) uniform Push {
  Conditions condition;
  Elements x;
  Elements y;
  Results z;
  uint dims[RANK];
  uint stridesCondition[RANK];
  uint stridesX[RANK];
  uint stridesY[RANK];
};
void main() {
  uint count = elements(dims);
  for (EACH_ELEMENT(i, count)) {
    bool holds = condition.at[offset(i, dims, stridesCondition)] != uint8_t(0);
    z.at[i] = holds ? x.at[offset(i, dims, stridesX)] : y.at[offset(i, dims, stridesY)];
  }
}
