#version 460
// activation(x weight + bias) in tiles of 64 x 64; the weight stands in panels of 64 columns.
// variant f32: -DELEMENT=float -DELEMENT4=vec4
#include "lib/element.glsl"
#include "lib/vectors.glsl"
#include "lib/row_major.glsl"
#include "lib/activation.glsl"
layout(constant_id = 0) const uint DEPTH = 4;
layout(constant_id = 1) const uint COLUMNS = 4;
layout(constant_id = 2) const uint ACTIVATION = 0;
layout(push_constant) uniform Push {
  Elements x;
  Vectors weight;
  Floats bias;
  Results y;
  uint rows;      // of this run
  uint capacity;  // rows of the slots
};
vec4 loadA(uint row, uint k) {
  uint at = place(min(row, rows - 1), k, capacity, DEPTH);
  if (DEPTH % 4 == 0) return k < DEPTH ? vec4(Vectors(x).at[at / 4]) : vec4(0.0);
  vec4 a = vec4(0.0);
  for (uint i = 0; i < 4; i++) if (k + i < DEPTH) a[i] = float(x.at[at + i]);
  return a;
}
vec4 loadB(uint k, uint column) {
  return k < DEPTH ? vec4(weight.at[(column / 64 * DEPTH + k) * 16 + column % 64 / 4]) : vec4(0.0);
}
vec4 initial(uint column) {
  vec4 b;
  for (uint i = 0; i < 4; i++) b[i] = bias.at[min(column + i, COLUMNS - 1)];
  return b;
}
void store(uint row, uint column, vec4 sum) {
  if (row >= rows) return;
  for (uint i = 0; i < 4; i++) {
    if (column + i < COLUMNS) {
      y.at[place(row, column + i, capacity, COLUMNS)] = ELEMENT(activate(ACTIVATION, sum[i]));
    }
  }
}
#include "lib/tile.glsl"
void main() { multiplyTile(gl_WorkGroupID.y * 64, gl_WorkGroupID.x * 64); }
