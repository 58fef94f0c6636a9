#version 460
// Attention over padded sequences, one invocation a row and head: q, k and v are [batch, length, hidden],
// and key j of a batch counts where mask[batch, j] is not 0. A row that sees no key becomes 0.
// variant f32: -DELEMENT=float -DELEMENT4=vec4
#include "lib/element.glsl"
#include "lib/vectors.glsl"
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint HEADS = 1;
layout(constant_id = 2) const uint HEAD_SIZE = 4;
layout(constant_id = 3) const uint BLOCK = 1;
layout(push_constant) uniform Push {
  Vectors q;
  Vectors k;
  Vectors v;
  Floats mask;
  VectorResults y;
  uint rows;    // batch * length
  uint length;  // of each sequence
  float scale;
};
uint row, first;
uint at(uint row, uint d) { return (row * HEADS + gl_WorkGroupID.y) * (HEAD_SIZE / 4) + d; }
vec4 query(uint d) { return vec4(q.at[at(row, d)]); }
vec4 key(uint i, uint d) { return vec4(k.at[at(first + i, d)]); }
vec4 value(uint i, uint d) { return vec4(v.at[at(first + i, d)]); }
bool visible(uint i) { return mask.at[first + i] != 0.0; }
void result(uint d, vec4 x) { y.at[at(row, d)] = ELEMENT4(x); }
#include "lib/attention.glsl"
void main() {
  for (row = gl_GlobalInvocationID.x; row < rows; row += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
    first = row / length * length;
    attend(length, scale);
  }
}
