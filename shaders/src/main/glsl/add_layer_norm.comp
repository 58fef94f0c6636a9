#version 460
// LayerNorm of each row of x + residual.
// variant f32: -DELEMENT=float
#include "lib/element.glsl"
#include "lib/row_major.glsl"
layout(constant_id = 1) const uint COLUMNS = 1;
layout(push_constant) uniform Push {
  Elements x;
  Elements residual;
  Floats gamma;
  Floats beta;
  Results y;
  uint rows;      // of this run
  uint capacity;  // rows of the slots
  float epsilon;
};
float element(uint row, uint column) {
  uint at = place(row, column, capacity, COLUMNS);
  return float(x.at[at]) + float(residual.at[at]);
}
#include "lib/norm.glsl"
void main() {
  for (EACH_ROW(row, rows)) normalise(row, capacity, COLUMNS, epsilon, gamma, beta, y);
}
