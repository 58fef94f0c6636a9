package dev.caldera.backend.cpu;

import dev.caldera.graph.Op;
import java.util.List;

/** Products of matrices, leading dims broadcast; sums in double precision. */
final class MatMulKernel extends Primitive<Op.MatMul> {
  MatMulKernel() {
    super(Op.MatMul.class);
  }

  @Override
  void compute(String node, Op.MatMul op, RunScope scope, List<Tensor> inputs, Tensor output) {
    Tensor a = inputs.get(0);
    Tensor b = inputs.get(1);
    int depth = a.dim(a.rank() - 1);
    int rows = output.dim(output.rank() - 2);
    int columns = output.dim(output.rank() - 1);
    double[] sums = new double[columns];
    for (int matrix = 0; matrix < output.product(0, output.rank() - 2); matrix++) {
      int left = matrix(a, output, matrix) * rows * depth;
      int right = matrix(b, output, matrix) * depth * columns;
      for (int row = 0; row < rows; row++) {
        java.util.Arrays.fill(sums, 0);
        for (int k = 0; k < depth; k++) {
          double value = a.real(left + row * depth + k);
          for (int column = 0; column < columns; column++) {
            sums[column] += value * b.real(right + k * columns + column);
          }
        }
        for (int column = 0; column < columns; column++) {
          output.setReal((matrix * rows + row) * columns + column, sums[column]);
        }
      }
    }
  }

  /** Which matrix of an operand belongs to a matrix of the output. */
  private static int matrix(Tensor operand, Tensor output, int index) {
    int result = 0;
    int stride = 1;
    int rest = index;
    int outer = output.rank() - 3;
    for (int axis = operand.rank() - 3; axis >= 0; axis--, outer--) {
      if (operand.dim(axis) != 1) {
        result += rest % output.dim(outer) * stride;
        stride *= operand.dim(axis);
      }
      rest /= output.dim(outer);
    }
    return result;
  }
}
