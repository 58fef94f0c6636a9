// A tile of a matrix product by one subgroup: 16 rows, two columns a lane. No shared memory and no
// barrier; each lane holds two elements of a row of A, handed round by broadcast. For devices that run a
// subgroup as a CPU vector: there a load costs as much as a hundred additions, so each is of 64 bits.
// Each element is one chain of fma, k ascending, from initial(column).
// The including shader defines DEPTH (of the product) and
//   vec2 loadA(uint row, uint k): two of a row, 0 where k is past the end,
//   vec2 loadB(uint k, uint column): two columns of a k, finite where k is past the end, and
//   float initial(uint column), void store(uint row, uint column, float x).
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x_id = 0) in;  // the size of a subgroup
const uint ROWS = 16;
const uint PIECE = 2 * gl_WorkGroupSize.x;  // columns of a tile, and how deep A is loaded at once
void multiplyTile(uint row, uint firstColumn) {
  uint lane = gl_SubgroupInvocationID;
  uint column = firstColumn + 2 * lane;
  vec2 sums[ROWS], a[ROWS];
  [[unroll]] for (uint i = 0; i < ROWS; i++) sums[i] = vec2(initial(column), initial(column + 1));
  [[dont_unroll]] for (uint k = 0; k < DEPTH; k += PIECE) {
    [[unroll]] for (uint i = 0; i < ROWS; i++) a[i] = loadA(row + i, k + 2 * lane);
    [[unroll]] for (uint j = 0; j < PIECE; j++) {
      vec2 b = loadB(k + j, column);
      [[unroll]] for (uint i = 0; i < ROWS; i++) {
        sums[i] = fma(vec2(subgroupBroadcast(a[i][j % 2], j / 2)), b, sums[i]);
      }
    }
  }
  [[unroll]] for (uint i = 0; i < ROWS; i++) {
    store(row + i, column, sums[i].x);
    store(row + i, column + 1, sums[i].y);
  }
}
