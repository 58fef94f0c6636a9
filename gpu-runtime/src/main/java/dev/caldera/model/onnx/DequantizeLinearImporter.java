package dev.caldera.model.onnx;

import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;

/** DequantizeLinear, per tensor or per axis. */
final class DequantizeLinearImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    node.require(node.integer("block_size", 0) == 0, "attribute block_size is not supported");
    Operand x = node.input(0);
    Operand scale = scalarIfSingle(node, node.input(1));
    DType dtype = x.type().dtype();
    Operand zero =
        node.optionalInput(2).map(o -> scalarIfSingle(node, o)).orElseGet(() -> zero(node, dtype));
    int rank = x.type().shape().rank();
    int axis = scale.type().shape().rank() == 0 ? 0 : node.axis("axis", 1, rank);
    node.attribute("axis");
    if (!zero.type().shape().equals(scale.type().shape())) {
      zero = node.apply(new Op.Expand(scale.type().shape()), zero);
    }
    node.result(node.apply(new Op.Dequantize(axis), x, scale, zero));
  }

  private static Operand zero(NodeImport node, DType dtype) {
    return node.constant(HostTensor.integers(dtype, new long[] {0}));
  }

  private static Operand scalarIfSingle(NodeImport node, Operand operand) {
    return operand.type().shape().equals(Shape.of(Dim.fixed(1)))
        ? node.reshape(operand, Shape.of())
        : operand;
  }
}
