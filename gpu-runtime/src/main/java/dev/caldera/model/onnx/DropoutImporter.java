package dev.caldera.model.onnx;

/** Dropout, which does nothing in inference. */
final class DropoutImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    node.decimal("ratio", 0);
    node.integer("seed", 0);
    if (node.optionalInput(2).isPresent()) {
      node.require(node.numbers(2).get(0) == 0, "training mode is not supported");
    }
    node.result(node.input(0));
  }
}
