package dev.caldera.model.onnx;

/**
 * Turns a node of one ONNX op into nodes of the graph, or into what is known when loading.
 *
 * <p>It reads operands and attributes from the {@link NodeImport} and ends with {@link
 * NodeImport#result}. It is registered in {@link OpTable}.
 */
@FunctionalInterface
interface OpImporter {

  /**
   * Imports a node.
   *
   * @throws IllegalArgumentException if the node asks for what is not supported
   */
  void run(NodeImport node);
}
