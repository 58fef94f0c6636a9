#version 460
// The batched matrix product in tiles of 64 x 64.
// variant f32: -DELEMENT=float
#include "lib/product.glsl"
vec4 loadA(uint row, uint k) {
  return vec4(elementA(row, k), elementA(row, k + 1), elementA(row, k + 2), elementA(row, k + 3));
}
vec4 loadB(uint k, uint column) {
  return vec4(elementB(k, column), elementB(k, column + 1), elementB(k, column + 2), elementB(k, column + 3));
}
vec4 initial(uint column) { return vec4(0.0); }
void store(uint row, uint column, vec4 x) {
  for (uint i = 0; i < 4; i++) storeElement(row, column + i, x[i]);
}
#include "lib/tile.glsl"
void main() {
  uint batches = elements(dims);
  for (uint batch = gl_WorkGroupID.z; batch < batches; batch += gl_NumWorkGroups.z) {
    startBatch(batch);
    multiplyTile(gl_WorkGroupID.y * 64, gl_WorkGroupID.x * 64);
  }
}
