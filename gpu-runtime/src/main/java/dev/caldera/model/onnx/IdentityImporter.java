package dev.caldera.model.onnx;

/** Identity. */
final class IdentityImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    node.result(node.input(0));
  }
}
