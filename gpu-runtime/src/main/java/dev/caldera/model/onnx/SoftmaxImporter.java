package dev.caldera.model.onnx;

import dev.caldera.graph.Dim;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import java.util.List;

/** Softmax: along one axis since opset 13, over all axes from one on before. */
final class SoftmaxImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    Operand x = node.input(0);
    Shape shape = x.type().shape();
    boolean oneAxis = node.opset() >= 13;
    int axis = node.axis("axis", oneAxis ? -1 : 1, shape.rank());
    if (oneAxis || axis == shape.rank() - 1) {
      node.result(node.apply(new Op.Softmax(axis), x));
      return;
    }
    List<Dim> dims = shape.dims();
    Dim rows = new Shape(dims.subList(0, axis)).elements();
    Dim columns = new Shape(dims.subList(axis, dims.size())).elements();
    Operand flat = node.reshape(x, Shape.of(rows, columns));
    node.result(node.reshape(node.apply(new Op.Softmax(1), flat), shape));
  }
}
