// The place of an element in a row-major tensor. Heads of other layouts define the same function.
uint place(uint row, uint column, uint rows, uint columns) { return row * columns + column; }
