// A 64 x 64 tile of a matrix product by 128 invocations, each 8 rows x 4 columns, over pieces 16 deep that
// stand twice in shared memory: while one is multiplied, the next is on its way through registers.
// Each element is one chain of fma, k ascending, from initial(column).
// The including shader defines DEPTH (of the product) and
//   vec4 loadA(uint row, uint k): four of a row, vec4 loadB(uint k, uint column): four columns of a k,
//   both 0 where k is past the end, and vec4 initial(uint column), void store(uint row, uint column, vec4 x).
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 128) in;
const uint TILE = 64;
const uint PIECE = 16;
shared vec4 sharedA[2][TILE * PIECE / 4];
shared vec4 sharedB[2][PIECE * TILE / 4];
void multiplyTile(uint row, uint column) {
  uint t = gl_LocalInvocationIndex;
  uint laneRow = t / 16;
  uint laneColumn = t % 16;
  vec4 nextA[2], nextB[2], sums[8];
  [[unroll]] for (uint i = 0; i < 8; i++) sums[i] = initial(column + laneColumn * 4);
  [[dont_unroll]] for (uint k = 0; k < DEPTH + PIECE; k += PIECE) {
    if (k < DEPTH) {
      [[unroll]] for (uint i = 0; i < 2; i++) {
        uint at = t + i * 128;
        nextA[i] = loadA(row + at / 4, k + at % 4 * 4);
        nextB[i] = loadB(k + at / 16, column + at % 16 * 4);
      }
    }
    if (k > 0) {
      uint stage = (k / PIECE + 1) % 2;
      [[unroll]] for (uint q = 0; q < PIECE / 4; q++) {
        vec4 b[4];
        [[unroll]] for (uint j = 0; j < 4; j++) b[j] = sharedB[stage][(q * 4 + j) * 16 + laneColumn];
        [[unroll]] for (uint i = 0; i < 8; i++) {
          vec4 a = sharedA[stage][(i * 8 + laneRow) * 4 + q];
          [[unroll]] for (uint j = 0; j < 4; j++) sums[i] = fma(vec4(a[j]), b[j], sums[i]);
        }
      }
    }
    if (k < DEPTH) {
      uint stage = k / PIECE % 2;
      [[unroll]] for (uint i = 0; i < 2; i++) {
        sharedA[stage][t + i * 128] = nextA[i];
        sharedB[stage][t + i * 128] = nextB[i];
      }
    }
    barrier();
  }
  [[unroll]] for (uint i = 0; i < 8; i++) store(row + i * 8 + laneRow, column + laneColumn * 4, sums[i]);
}
