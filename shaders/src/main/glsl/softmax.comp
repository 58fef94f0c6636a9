#version 460
// Softmax along one axis: a row is the `length` elements that stand `inner` apart.
// variant f32: -DELEMENT=float
#include "lib/element.glsl"
#include "lib/each_row.glsl"
layout(push_constant) uniform Push {
  Elements x;
  Results y;
  uint rows;    // product of all dims but the axis
  uint length;  // of the axis
  uint inner;   // product of the dims behind the axis
};
void main() {
  for (EACH_ROW(row, rows)) {
    uint start = row / inner * length * inner + row % inner;
    float largest = uintBitsToFloat(0xFF800000u);
    for (EACH_LANE(i, length)) largest = max(largest, float(x.at[start + i * inner]));
    largest = subgroupMax(largest);
    float sum = 0.0;
    for (EACH_LANE(i, length)) sum += exp(float(x.at[start + i * inner]) - largest);
    sum = subgroupAdd(sum);
    for (EACH_LANE(i, length)) {
      y.at[start + i * inner] = ELEMENT(exp(float(x.at[start + i * inner]) - largest) / sum);
    }
  }
}
