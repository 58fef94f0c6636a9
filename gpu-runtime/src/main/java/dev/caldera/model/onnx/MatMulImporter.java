package dev.caldera.model.onnx;

import dev.caldera.graph.Dim;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import java.util.ArrayList;
import java.util.List;

/** MatMul; a vector is taken as a matrix of one row (left) or column (right). */
final class MatMulImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    Operand left = node.input(0);
    Operand right = node.input(1);
    boolean leftVector = left.type().shape().rank() == 1;
    boolean rightVector = right.type().shape().rank() == 1;
    if (leftVector) {
      left = node.reshape(left, Shape.of(Dim.fixed(1), left.type().shape().dim(0)));
    }
    if (rightVector) {
      right = node.reshape(right, Shape.of(right.type().shape().dim(0), Dim.fixed(1)));
    }
    Operand product = node.apply(new Op.MatMul(), left, right);
    List<Dim> dims = new ArrayList<>(product.type().shape().dims());
    if (rightVector) {
      dims.remove(dims.size() - 1);
    }
    if (leftVector) {
      dims.remove(dims.size() - (rightVector ? 1 : 2));
    }
    node.result(node.reshape(product, new Shape(dims)));
  }
}
