package dev.caldera.graph;

import java.util.List;

/**
 * What the type rules check; each method throws an {@link IllegalArgumentException} that says why.
 */
final class Checks {

  private Checks() {}

  static void count(List<TensorType> operands, int expected) {
    if (operands.size() != expected) {
      throw new IllegalArgumentException(
          "it takes " + expected + " operands, not " + operands.size());
    }
  }

  static void rank(TensorType type, int expected, String what) {
    if (type.shape().rank() != expected) {
      throw new IllegalArgumentException(
          what + " must have rank " + expected + ", not " + type.shape());
    }
  }

  static void shape(TensorType type, String what, Dim... expected) {
    Shape shape = Shape.of(expected);
    if (!type.shape().equals(shape)) {
      throw new IllegalArgumentException(what + " must be " + shape + ", not " + type.shape());
    }
  }

  static void dtype(TensorType type, String what, DType... allowed) {
    if (!List.of(allowed).contains(type.dtype())) {
      throw new IllegalArgumentException(
          what + " must be of type " + List.of(allowed) + ", not " + type.dtype());
    }
  }

  static void isFloat(TensorType type, String what) {
    if (!type.dtype().isFloat()) {
      throw new IllegalArgumentException(what + " must be of a float type, not " + type.dtype());
    }
  }

  static void sameType(List<TensorType> operands) {
    for (TensorType operand : operands) {
      if (operand.dtype() != operands.get(0).dtype()) {
        throw new IllegalArgumentException("its operands must be of one element type");
      }
    }
  }

  static void axis(int axis, int rank) {
    if (axis < 0 || axis >= rank) {
      throw new IllegalArgumentException("axis " + axis + " is not an axis of rank " + rank);
    }
  }
}
