#version 460
// LayerNorm of words[id] + positions[position] + types[type], a row a token. An index outside its
// table is moved to the nearest row that exists, so that no read leaves the table.
// variant f32: -DELEMENT=float
#include "lib/element.glsl"
#include "lib/row_major.glsl"
layout(constant_id = 1) const uint COLUMNS = 1;
layout(constant_id = 2) const int WORDS = 1;
layout(constant_id = 3) const int POSITIONS = 1;
layout(constant_id = 4) const int TYPES = 1;
layout(push_constant) uniform Push {
  Integers ids;
  Integers positions;
  Integers types;
  Floats wordTable;
  Floats positionTable;
  Floats typeTable;
  Floats gamma;
  Floats beta;
  Results y;
  uint rows;      // tokens of this run
  uint capacity;  // rows of the slot
  float epsilon;
};
float element(uint row, uint column) {
  uint word = clamp(ids.at[row], 0, WORDS - 1);
  uint position = clamp(positions.at[row], 0, POSITIONS - 1);
  uint type = clamp(types.at[row], 0, TYPES - 1);
  return wordTable.at[word * COLUMNS + column] + positionTable.at[position * COLUMNS + column] +
      typeTable.at[type * COLUMNS + column];
}
#include "lib/norm.glsl"
void main() {
  for (EACH_ROW(row, rows)) normalise(row, capacity, COLUMNS, epsilon, gamma, beta, y);
}
