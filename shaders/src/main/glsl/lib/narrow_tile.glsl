// A tile of a matrix product by one subgroup: 8 rows, a column a lane. No shared memory and no barrier;
// each lane holds one element of A, handed round by broadcast. For devices with small subgroups.
// Each element is one chain of fma, k ascending, from initial(column).
// The including shader defines DEPTH (of the product) and
//   float loadA(uint row, uint k), float loadB(uint k, uint column), both 0 where k is past the end,
//   float initial(uint column), void store(uint row, uint column, float x).
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x_id = 0) in;
const uint ROWS = 8;
void multiplyTile(uint row, uint firstColumn) {
  uint lane = gl_SubgroupInvocationID;
  uint column = firstColumn + lane;
  float sums[ROWS], a[ROWS];
  [[unroll]] for (uint i = 0; i < ROWS; i++) sums[i] = initial(column);
  [[dont_unroll]] for (uint k = 0; k < DEPTH; k += gl_SubgroupSize) {
    [[unroll]] for (uint i = 0; i < ROWS; i++) a[i] = loadA(row + i, k + lane);
    for (uint j = 0; j < gl_SubgroupSize; j++) {
      float b = loadB(k + j, column);
      [[unroll]] for (uint i = 0; i < ROWS; i++) sums[i] = fma(subgroupBroadcast(a[i], j), b, sums[i]);
    }
  }
  [[unroll]] for (uint i = 0; i < ROWS; i++) store(row + i, column, sums[i]);
}
