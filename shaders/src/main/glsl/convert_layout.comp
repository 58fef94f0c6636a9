#version 460
// A tensor from one layout to another. A layout is the width of its column blocks, 0 for row-major.
// Columns that pad the last block become 0.
// variant w1: -DELEMENT=uint8_t
// variant w2: -DELEMENT=uint16_t
// variant w4: -DELEMENT=uint
// variant w8: -DELEMENT=uvec2
#include "lib/element.glsl"
#include "lib/each_element.glsl"
layout(constant_id = 1) const uint COLUMNS = 1;
layout(constant_id = 2) const uint WIDTH_X = 0;
layout(constant_id = 3) const uint WIDTH_Y = 0;
layout(push_constant) uniform Push {
  Elements x;
  Results y;
  uint rows;       // of this run
  uint capacityX;  // rows of each slot
  uint capacityY;
};
uint place(uint row, uint column, uint width, uint capacity) {
  return width == 0 ? row * COLUMNS + column : (column / width * capacity + row) * width + column % width;
}
void main() {
  uint width = max(WIDTH_Y, 1);
  uint padded = (COLUMNS + width - 1) / width * width;
  uint count = rows * padded;
  for (EACH_ELEMENT(i, count)) {
    uint row = i / padded;
    uint column = i % padded;
    y.at[place(row, column, WIDTH_Y, capacityY)] =
        column < COLUMNS ? x.at[place(row, column, WIDTH_X, capacityX)] : ELEMENT(0);
  }
}
