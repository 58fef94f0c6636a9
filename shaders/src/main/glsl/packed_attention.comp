#version 460
// Attention of each token over the tokens of its own sequence, one invocation a token and head. A row of
// qkv holds q, k and v side by side; sequence i holds rows [starts[i], starts[i + 1]).
// variant f32: -DELEMENT=float -DELEMENT4=vec4
#include "lib/element.glsl"
#include "lib/vectors.glsl"
#include "lib/row_major.glsl"
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint HEADS = 1;
layout(constant_id = 2) const uint HEAD_SIZE = 4;
layout(constant_id = 3) const uint BLOCK = 1;
layout(push_constant) uniform Push {
  Vectors qkv;
  Integers starts;
  VectorResults y;
  uint tokens;     // of this run
  uint sequences;  // of this run
  uint capacity;   // rows of the slots
  float scale;
};
const uint HIDDEN = HEADS * HEAD_SIZE;
uint token, first;
vec4 part(uint row, uint operand, uint d) {
  uint column = operand * HIDDEN + gl_WorkGroupID.y * HEAD_SIZE + 4 * d;
  return vec4(qkv.at[place(row, column, capacity, 3 * HIDDEN) / 4]);
}
vec4 query(uint d) { return part(token, 0, d); }
vec4 key(uint i, uint d) { return part(first + i, 1, d); }
vec4 value(uint i, uint d) { return part(first + i, 2, d); }
bool visible(uint i) { return true; }
void result(uint d, vec4 x) {
  y.at[place(token, gl_WorkGroupID.y * HEAD_SIZE + 4 * d, capacity, HIDDEN) / 4] = ELEMENT4(x);
}
#include "lib/attention.glsl"
// The sequence of a token: the last one that starts at or before it.
uint sequenceOf(uint token) {
  uint low = 0;
  uint high = sequences;
  while (high - low > 1) {
    uint middle = (low + high) / 2;
    if (uint(starts.at[middle]) <= token) low = middle; else high = middle;
  }
  return low;
}
void main() {
  for (token = gl_GlobalInvocationID.x; token < tokens; token += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
    uint sequence = sequenceOf(token);
    first = uint(starts.at[sequence]);
    attend(min(uint(starts.at[sequence + 1]), tokens) - first, scale);
  }
}
