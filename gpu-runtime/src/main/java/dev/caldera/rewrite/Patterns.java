package dev.caldera.rewrite;

import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Op.BinaryKind;
import dev.caldera.graph.Op.UnaryKind;
import dev.caldera.graph.Shape;
import dev.caldera.graph.Value;
import java.util.List;
import java.util.Optional;

/** What several fusions look for. */
final class Patterns {

  private Patterns() {}

  static Op binary(BinaryKind kind) {
    return new Op.Binary(kind);
  }

  static Op unary(UnaryKind kind) {
    return new Op.Unary(kind);
  }

  /**
   * The operands of a node of two.
   *
   * @param one the operand looked for
   * @param other the other one
   */
  record Operands(Value one, Value other) {}

  /** The operands of a sum or product with the constant as {@code other}; empty if none is one. */
  static Optional<Operands> withConstant(GraphEdit edit, Node node) {
    if (edit.isConstant(node.input(1))) {
      return Optional.of(new Operands(node.input(0), node.input(1)));
    }
    return edit.isConstant(node.input(0))
        ? Optional.of(new Operands(node.input(1), node.input(0)))
        : Optional.empty();
  }

  /** Both orders of a node's two operands. */
  static List<Operands> bothOrders(Node node) {
    return List.of(
        new Operands(node.input(0), node.input(1)), new Operands(node.input(1), node.input(0)));
  }

  /** Whether {@code value} is a vector with an element for each column of {@code x}. */
  static boolean isRowVector(Value value, Value x) {
    return value.type().shape().equals(Shape.of(x.type().shape().columns()))
        && value.type().dtype() == x.type().dtype();
  }
}
