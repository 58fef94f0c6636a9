package dev.caldera.model.onnx;

/** Size: the number of elements of its operand. */
final class SizeImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    SymbolicTensor size = SymbolicTensor.scalar(node.type(0).shape().elements());
    node.result(node.known(size));
  }
}
