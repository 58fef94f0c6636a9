#version 460
// The batched matrix product, one subgroup a tile.
// variant f32: -DELEMENT=float
#include "lib/product.glsl"
vec2 loadA(uint row, uint k) { return vec2(elementA(row, k), elementA(row, k + 1)); }
vec2 loadB(uint k, uint column) { return vec2(elementB(k, column), elementB(k, column + 1)); }
float initial(uint column) { return 0.0; }
void store(uint row, uint column, float x) { storeElement(row, column, x); }
#include "lib/narrow_tile.glsl"
void main() {
  uint batches = elements(dims);
  for (uint batch = gl_WorkGroupID.z; batch < batches; batch += gl_NumWorkGroups.z) {
    startBatch(batch);
    multiplyTile(gl_WorkGroupID.y * ROWS, gl_WorkGroupID.x * PIECE);
  }
}
