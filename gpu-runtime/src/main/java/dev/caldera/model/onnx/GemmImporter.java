package dev.caldera.model.onnx;

import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import java.util.List;

/** Gemm: alpha A B + beta C, A and B transposed where asked. */
final class GemmImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    Operand left = transpose(node, node.input(0), "transA");
    Operand right = transpose(node, node.input(1), "transB");
    Operand product = scale(node, node.apply(new Op.MatMul(), left, right), "alpha");
    float beta = node.decimal("beta", 1);
    if (node.optionalInput(2).isEmpty() || beta == 0) {
      node.result(product);
      return;
    }
    Operand added = scale(node, node.input(2), "beta");
    node.result(node.apply(new Op.Binary(Op.BinaryKind.ADD), product, added));
  }

  private static Operand transpose(NodeImport node, Operand operand, String attribute) {
    boolean transposed = node.integer(attribute, 0) != 0;
    return transposed ? node.apply(new Op.Transpose(List.of(1, 0)), operand) : operand;
  }

  private static Operand scale(NodeImport node, Operand operand, String attribute) {
    float factor = node.decimal(attribute, 1);
    if (factor == 1) {
      return operand;
    }
    Operand constant = node.constant(HostTensor.floats(new float[] {factor}));
    return node.apply(new Op.Binary(Op.BinaryKind.MULTIPLY), operand, constant);
  }
}
