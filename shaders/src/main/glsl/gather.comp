#version 460
// Slices of data along an axis at indices; a negative index counts from the end, and one outside is
// moved to the nearest slice that exists.
// variant w1: -DELEMENT=uint8_t
// variant w2: -DELEMENT=uint16_t
// variant w4: -DELEMENT=uint
// variant w8: -DELEMENT=uvec2
#include "lib/element.glsl"
#include "lib/each_element.glsl"
layout(constant_id = 1) const uint INDEX_WORDS = 1;  // 2 for 64-bit indices, of which the low word counts
layout(push_constant) uniform Push {
  Elements x;
  Integers indices;
  Results y;
  uint outer;    // product of the dims before the axis
  uint length;   // of the axis
  uint inner;    // product of the dims behind the axis
  uint slices;   // number of indices
};
void main() {
  uint count = outer * slices * inner;
  for (EACH_ELEMENT(i, count)) {
    int index = indices.at[i / inner % slices * INDEX_WORDS];
    uint slice = clamp(index < 0 ? index + int(length) : index, 0, int(length) - 1);
    y.at[i] = x.at[(i / (slices * inner) * length + slice) * inner + i % inner];
  }
}
