#version 460
// The batched matrix product, one subgroup a tile.
// variant f32: -DELEMENT=float
#include "lib/product.glsl"
float loadA(uint row, uint k) { return elementA(row, k); }
float loadB(uint k, uint column) { return elementB(k, column); }
float initial(uint column) { return 0.0; }
void store(uint row, uint column, float x) { storeElement(row, column, x); }
#include "lib/narrow_tile.glsl"
void main() {
  uint batches = elements(dims);
  for (uint batch = gl_WorkGroupID.z; batch < batches; batch += gl_NumWorkGroups.z) {
    startBatch(batch);
    multiplyTile(gl_WorkGroupID.y * ROWS, gl_WorkGroupID.x * gl_SubgroupSize);
  }
}
