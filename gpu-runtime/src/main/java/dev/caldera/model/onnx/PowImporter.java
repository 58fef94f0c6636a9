package dev.caldera.model.onnx;

import dev.caldera.graph.DType;
import dev.caldera.graph.Op;

/** Pow; its exponent may be of another type than its base. */
final class PowImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    DType dtype = node.type(0).dtype();
    Operand exponent = node.input(1);
    if (exponent.type().dtype() != dtype) {
      node.require(dtype.isFloat(), "a float exponent of an integer base is not supported");
      exponent = node.apply(new Op.Cast(dtype), exponent);
    }
    node.result(node.apply(new Op.Binary(Op.BinaryKind.POWER), node.input(0), exponent));
  }
}
