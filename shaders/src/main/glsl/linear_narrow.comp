#version 460
// activation(x weight + bias), one subgroup a tile; the weight stands in panels of 64 columns.
// variant f32: -DELEMENT=float
#include "lib/element.glsl"
#include "lib/pairs.glsl"
#include "lib/row_major.glsl"
#include "lib/activation.glsl"
layout(constant_id = 1) const uint DEPTH = 4;
layout(constant_id = 2) const uint COLUMNS = 4;
layout(constant_id = 3) const uint ACTIVATION = 0;
layout(push_constant) uniform Push {
  Elements x;
  Pairs weight;
  Floats bias;
  Results y;
  uint rows;      // of this run
  uint capacity;  // rows of the slots
};
vec2 loadA(uint row, uint k) {
  uint at = place(min(row, rows - 1), min(k, DEPTH - 1), capacity, DEPTH);
  if (DEPTH % 2 == 0) return k < DEPTH ? pair(Pairs(x), at) : vec2(0.0);
  return vec2(k < DEPTH ? float(x.at[at]) : 0.0, k + 1 < DEPTH ? float(x.at[at + 1]) : 0.0);
}
vec2 loadB(uint k, uint column) {
  return pair(weight, (column / 64 * DEPTH + min(k, DEPTH - 1)) * 64 + column % 64);
}
float initial(uint column) { return bias.at[min(column, COLUMNS - 1)]; }
void store(uint row, uint column, float sum) {
  if (row < rows && column < COLUMNS) {
    y.at[place(row, column, capacity, COLUMNS)] = ELEMENT(activate(ACTIVATION, sum));
  }
}
#include "lib/narrow_tile.glsl"
void main() { multiplyTile(gl_WorkGroupID.y * ROWS, gl_WorkGroupID.x * PIECE); }
