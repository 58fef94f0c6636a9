package dev.caldera.graph;

/**
 * An edge of a graph: what an input, a constant or one output of a node holds.
 *
 * @param name unique within its graph
 * @param type element type and (possibly symbolic) shape
 */
public record Value(String name, TensorType type) {
  @Override
  public String toString() {
    return name + ": " + type;
  }
}
