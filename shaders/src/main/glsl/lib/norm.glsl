// LayerNorm of one row by one subgroup, in three passes: mean, variance of the differences, result.
// The including shader defines `float element(uint row, uint column)`, what is normalised.
#include "lib/each_row.glsl"
void normalise(uint row, uint rows, uint columns, float epsilon, Floats gamma, Floats beta, Results y) {
  float sum = 0.0;
  for (EACH_LANE(column, columns)) sum += element(row, column);
  float mean = subgroupAdd(sum) / float(columns);
  float squares = 0.0;
  for (EACH_LANE(column, columns)) {
    float difference = element(row, column) - mean;
    squares = fma(difference, difference, squares);
  }
  float scale = 1.0 / sqrt(subgroupAdd(squares) / float(columns) + epsilon);
  for (EACH_LANE(column, columns)) {
    float normal = (element(row, column) - mean) * scale;
    y.at[place(row, column, rows, columns)] = ELEMENT(fma(normal, gamma.at[column], beta.at[column]));
  }
}
