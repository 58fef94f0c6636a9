#version 460
// Copies elements from one strided view to another: transpose, expand, slice and concat.
// variant w1: -DELEMENT=uint8_t
// variant w2: -DELEMENT=uint16_t
// variant w4: -DELEMENT=uint
// variant w8: -DELEMENT=uvec2
#include "lib/element.glsl"
#include "lib/each_element.glsl"
#include "lib/strides.glsl"
layout(push_constant) uniform Push {
  Elements x;
  Results y;
  uint dims[RANK];
  uint stridesX[RANK];
  uint stridesY[RANK];
  uint startX;  // the first element of each view
  uint startY;
};
void main() {
  uint count = elements(dims);
  for (EACH_ELEMENT(i, count)) {
    y.at[startY + offset(i, dims, stridesY)] = x.at[startX + offset(i, dims, stridesX)];
  }
}
