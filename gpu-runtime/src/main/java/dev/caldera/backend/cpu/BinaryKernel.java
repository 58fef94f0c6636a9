package dev.caldera.backend.cpu;

import dev.caldera.graph.Op;
import java.util.List;

/** A function of two elements, broadcast; floats in double precision, integers exactly. */
final class BinaryKernel extends Primitive<Op.Binary> {
  BinaryKernel() {
    super(Op.Binary.class);
  }

  @Override
  void compute(String node, Op.Binary op, RunScope scope, List<Tensor> inputs, Tensor output) {
    Tensor a = inputs.get(0);
    Tensor b = inputs.get(1);
    boolean real = a.dtype().isFloat();
    for (int i = 0; i < output.size(); i++) {
      int left = a.broadcast(output, i);
      int right = b.broadcast(output, i);
      if (!output.dtype().isFloat() && output.dtype() != a.dtype()) {
        output.setWhole(i, holds(op.kind(), a, left, b, right) ? 1 : 0);
      } else if (real) {
        output.setReal(i, real(op.kind(), a.real(left), b.real(right)));
      } else {
        output.setWhole(i, whole(node, op.kind(), a.whole(left), b.whole(right)));
      }
    }
  }

  private static boolean holds(Op.BinaryKind kind, Tensor a, int left, Tensor b, int right) {
    int order = a.dtype().isFloat() ? 0 : Long.compare(a.whole(left), b.whole(right));
    double difference = a.dtype().isFloat() ? a.real(left) - b.real(right) : order;
    switch (kind) {
      case EQUAL:
        return a.dtype().isFloat() ? a.real(left) == b.real(right) : order == 0;
      case LESS:
        return difference < 0;
      case GREATER:
        return difference > 0;
      default:
        throw new IllegalStateException("Cannot compare by " + kind);
    }
  }

  private static double real(Op.BinaryKind kind, double a, double b) {
    switch (kind) {
      case ADD:
        return a + b;
      case SUBTRACT:
        return a - b;
      case MULTIPLY:
        return a * b;
      case DIVIDE:
        return a / b;
      case POWER:
        return Math.pow(a, b);
      case MINIMUM:
        return Math.min(a, b);
      case MAXIMUM:
        return Math.max(a, b);
      default:
        throw new IllegalStateException("Cannot compute " + kind + " of floats");
    }
  }

  private static long whole(String node, Op.BinaryKind kind, long a, long b) {
    switch (kind) {
      case ADD:
        return a + b;
      case SUBTRACT:
        return a - b;
      case MULTIPLY:
        return a * b;
      case DIVIDE:
        if (b == 0) {
          throw new IllegalArgumentException("Cannot run node " + node + ": " + a + " / 0");
        }
        return a / b;
      case POWER:
        return power(node, a, b);
      case MINIMUM:
        return Math.min(a, b);
      case MAXIMUM:
        return Math.max(a, b);
      case EQUAL:
        return a == b ? 1 : 0;
      case LESS:
        return a < b ? 1 : 0;
      case GREATER:
        return a > b ? 1 : 0;
      case AND:
        return a != 0 && b != 0 ? 1 : 0;
      case OR:
        return a != 0 || b != 0 ? 1 : 0;
      default:
        throw new IllegalStateException("Cannot compute " + kind + " of integers");
    }
  }

  private static long power(String node, long base, long exponent) {
    if (exponent < 0 || exponent > Long.SIZE) {
      throw new IllegalArgumentException(
          "Cannot run node "
              + node
              + ": integer "
              + base
              + " to the power of "
              + exponent
              + ", expected an exponent of 0 to "
              + Long.SIZE);
    }
    long result = 1;
    for (long i = 0; i < exponent; i++) {
      result *= base;
    }
    return result;
  }
}
