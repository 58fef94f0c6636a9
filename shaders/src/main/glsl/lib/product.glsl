// What both forms of the batched matrix product share: a [.., rows, depth] by b [.., depth, columns], with
// leading dims broadcast by strides of 0.
#include "lib/element.glsl"
#include "lib/strides.glsl"
layout(push_constant) uniform Push {
  Elements a;
  Elements b;
  Results y;
  uint rows;
  uint depth;
  uint columns;
  uint dims[RANK];  // of the batches
  uint stridesA[RANK];
  uint stridesB[RANK];
};
#define DEPTH depth
uint startA, startB, startY;
void startBatch(uint batch) {
  startA = offset(batch, dims, stridesA);
  startB = offset(batch, dims, stridesB);
  startY = batch * rows * columns;
}
float elementA(uint row, uint k) {
  return row < rows && k < depth ? float(a.at[startA + row * depth + k]) : 0.0;
}
float elementB(uint k, uint column) {
  return k < depth && column < columns ? float(b.at[startB + k * columns + column]) : 0.0;
}
void storeElement(uint row, uint column, float x) {
  if (row < rows && column < columns) y.at[startY + row * columns + column] = ELEMENT(x);
}
