#version 460
// One vector a sequence, by the ordinal of Op.Pooling (0 mean, 1 first, 2 last, 3 largest), then its
// length made 1. One subgroup a sequence; tokens are added in ascending order. No tokens give zeros.
// variant f32: -DELEMENT=float
#include "lib/element.glsl"
#include "lib/row_major.glsl"
#include "lib/each_row.glsl"
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Embeddings { float at[]; };
layout(constant_id = 1) const uint COLUMNS = 1;
layout(constant_id = 2) const uint POOLING = 0;
layout(constant_id = 3) const bool NORMALIZE = false;
layout(push_constant) uniform Push {
  Elements x;
  Integers starts;
  Embeddings y;
  uint tokens;     // of this run
  uint sequences;  // of this run
  uint capacity;   // rows of x
};
float pooled(uint first, uint end, uint column) {
  float sum = 0.0;
  for (uint row = first; row < end; row++) {
    float element = float(x.at[place(row, column, capacity, COLUMNS)]);
    sum = POOLING == 3 ? (row == first ? element : max(sum, element)) : sum + element;
  }
  return POOLING == 0 && end > first ? sum / float(end - first) : sum;
}
void main() {
  for (EACH_ROW(sequence, sequences)) {
    uint first = uint(starts.at[sequence]);
    uint end = min(uint(starts.at[sequence + 1]), tokens);
    if (end > first && POOLING == 1) end = first + 1;
    if (end > first && POOLING == 2) first = end - 1;
    float squares = 0.0;
    for (EACH_LANE(column, COLUMNS)) {
      float element = pooled(first, end, column);
      squares = fma(element, element, squares);
      y.at[sequence * COLUMNS + column] = element;
    }
    if (NORMALIZE) {
      float norm = max(sqrt(subgroupAdd(squares)), 1e-12);
      for (EACH_LANE(column, COLUMNS)) y.at[sequence * COLUMNS + column] /= norm;
    }
  }
}
