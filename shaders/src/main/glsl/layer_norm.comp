#version 460
// LayerNorm of each row of x.
// variant f32: -DELEMENT=float
#include "lib/element.glsl"
#include "lib/row_major.glsl"
layout(constant_id = 1) const uint COLUMNS = 1;
layout(push_constant) uniform Push {
  Elements x;
  Floats gamma;
  Floats beta;
  Results y;
  uint rows;      // of this run
  uint capacity;  // rows of the slots
  float epsilon;
};
float element(uint row, uint column) { return float(x.at[place(row, column, capacity, COLUMNS)]); }
#include "lib/norm.glsl"
void main() {
  for (EACH_ROW(row, rows)) normalise(row, capacity, COLUMNS, epsilon, gamma, beta, y);
}
