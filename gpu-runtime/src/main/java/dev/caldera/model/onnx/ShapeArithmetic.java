package dev.caldera.model.onnx;

import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.HostEvaluator;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.Op.BinaryKind;
import dev.caldera.graph.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Evaluates ops exactly on integers that may be symbolic.
 *
 * <p>An op that only moves elements is applied to the numbers of the elements, and its result says
 * which element goes where. Arithmetic is done on dims. A comparison is decided where it holds for
 * every size of the symbols, a size being at least 0; else it is an error.
 */
final class ShapeArithmetic {

  private ShapeArithmetic() {}

  /**
   * The result; empty if the op is none that shape arithmetic knows.
   *
   * @throws IllegalArgumentException if the result depends on a symbol in a way that dims cannot
   *     say
   * @throws ArithmeticException if the arithmetic overflows or a quotient has a remainder
   */
  static Optional<SymbolicTensor> apply(Op op, List<SymbolicTensor> operands) {
    if (op instanceof Op.Binary binary) {
      return Optional.of(binary(binary.kind(), operands.get(0), operands.get(1)));
    }
    if (op instanceof Op.Cast cast && !cast.to().isFloat() && cast.to() != DType.BOOL) {
      SymbolicTensor x = operands.get(0);
      return Optional.of(new SymbolicTensor(cast.to(), x.dims(), x.elements()));
    }
    if (op instanceof Op.Where) {
      return Optional.of(where(operands));
    }
    if (op instanceof Op.Gather) {
      return operands.get(1).isFixed()
          ? Optional.of(move(op, operands.subList(0, 1), List.of(operands.get(1).toHost())))
          : Optional.empty();
    }
    if (op instanceof Op.Reshape
        || op instanceof Op.Transpose
        || op instanceof Op.Concat
        || isFixed(op)) {
      return Optional.of(move(op, operands, List.of()));
    }
    return Optional.empty();
  }

  private static boolean isFixed(Op op) {
    return (op instanceof Op.Expand expand && expand.shape().isFixed())
        || (op instanceof Op.Slice slice
            && slice.start() instanceof Dim.Fixed
            && slice.end() instanceof Dim.Fixed);
  }

  /** Applies {@code op} to the numbers of the elements of {@code moved}. */
  private static SymbolicTensor move(
      Op op, List<SymbolicTensor> moved, List<HostTensor> otherOperands) {
    List<Dim> elements = new ArrayList<>();
    List<HostTensor> operands = new ArrayList<>();
    for (SymbolicTensor tensor : moved) {
      long[] numbers =
          IntStream.range(elements.size(), elements.size() + tensor.elements().size())
              .asLongStream()
              .toArray();
      operands.add(HostTensor.integers(DType.I64, numbers, tensor.sizes()));
      elements.addAll(tensor.elements());
    }
    operands.addAll(otherOperands);
    HostTensor result = HostEvaluator.apply(op, operands.toArray(HostTensor[]::new));
    return new SymbolicTensor(
        moved.get(0).dtype(),
        Arrays.stream(result.dims()).boxed().toList(),
        Arrays.stream(result.toLongs()).mapToObj(i -> elements.get((int) i)).toList());
  }

  private static SymbolicTensor expand(SymbolicTensor tensor, Shape shape) {
    return move(new Op.Expand(shape), List.of(tensor), List.of());
  }

  private static SymbolicTensor binary(BinaryKind kind, SymbolicTensor left, SymbolicTensor right) {
    Shape shape = left.type().shape().broadcast(right.type().shape());
    List<Dim> ls = expand(left, shape).elements();
    List<Dim> rs = expand(right, shape).elements();
    List<Dim> results =
        IntStream.range(0, ls.size()).mapToObj(i -> binary(kind, ls.get(i), rs.get(i))).toList();
    boolean compares =
        kind == BinaryKind.EQUAL || kind == BinaryKind.LESS || kind == BinaryKind.GREATER;
    return new SymbolicTensor(
        compares ? DType.BOOL : left.dtype(), expand(left, shape).dims(), results);
  }

  private static Dim binary(BinaryKind kind, Dim left, Dim right) {
    return switch (kind) {
      case ADD -> Dim.sum(left, right);
      case SUBTRACT -> Dim.difference(left, right);
      case MULTIPLY -> Dim.product(left, right);
      case DIVIDE -> Dim.quotient(left, right);
      case EQUAL -> flag(isEqual(left, right));
      case LESS -> flag(isLess(left, right));
      case GREATER -> flag(isLess(right, left));
      case MINIMUM -> isLess(left, right) ? left : right;
      case MAXIMUM -> isLess(left, right) ? right : left;
      case AND, OR, POWER -> fixed(kind, left, right);
    };
  }

  private static Dim fixed(BinaryKind kind, Dim left, Dim right) {
    if (left instanceof Dim.Fixed l && right instanceof Dim.Fixed r) {
      DType dtype = kind == BinaryKind.POWER ? DType.I64 : DType.BOOL;
      HostTensor result =
          HostEvaluator.apply(
              new Op.Binary(kind),
              HostTensor.integers(dtype, new long[] {l.size()}),
              HostTensor.integers(dtype, new long[] {r.size()}));
      return Dim.fixed(result.longAt(0));
    }
    throw undecided(kind + " of " + left + " and " + right);
  }

  private static Dim flag(boolean value) {
    return Dim.fixed(value ? 1 : 0);
  }

  private static boolean isEqual(Dim left, Dim right) {
    if (left.equals(right)) {
      return true;
    }
    if (isPositive(Dim.difference(left, right)) || isPositive(Dim.difference(right, left))) {
      return false;
    }
    throw undecided(left + " = " + right);
  }

  private static boolean isLess(Dim left, Dim right) {
    Dim difference = Dim.difference(right, left);
    if (isPositive(difference)) {
      return true;
    }
    if (isPositive(Dim.sum(Dim.difference(left, right), Dim.fixed(1)))) {
      return false;
    }
    throw undecided(left + " < " + right);
  }

  /** Whether a dim is greater than 0 whatever its symbols are. */
  private static boolean isPositive(Dim dim) {
    if (dim instanceof Dim.Fixed fixed) {
      return fixed.size() > 0;
    }
    return dim instanceof Dim.Sum sum
        && sum.right() instanceof Dim.Fixed constant
        && constant.size() > 0
        && isNonNegative(sum.left());
  }

  private static boolean isNonNegative(Dim dim) {
    if (dim instanceof Dim.Fixed fixed) {
      return fixed.size() >= 0;
    }
    if (dim instanceof Dim.Sum sum) {
      return isNonNegative(sum.left()) && isNonNegative(sum.right());
    }
    if (dim instanceof Dim.Product product) {
      return isNonNegative(product.left()) && isNonNegative(product.right());
    }
    if (dim instanceof Dim.Quotient quotient) {
      return isNonNegative(quotient.dividend()) && isNonNegative(quotient.divisor());
    }
    return true;
  }

  private static SymbolicTensor where(List<SymbolicTensor> operands) {
    Shape shape =
        operands
            .get(0)
            .type()
            .shape()
            .broadcast(operands.get(1).type().shape())
            .broadcast(operands.get(2).type().shape());
    List<SymbolicTensor> expanded = operands.stream().map(o -> expand(o, shape)).toList();
    List<Dim> results = new ArrayList<>();
    for (int i = 0; i < expanded.get(0).elements().size(); i++) {
      Dim condition = expanded.get(0).elements().get(i);
      if (!(condition instanceof Dim.Fixed fixed)) {
        throw undecided("whether " + condition + " holds");
      }
      results.add(expanded.get(fixed.size() != 0 ? 1 : 2).elements().get(i));
    }
    return new SymbolicTensor(operands.get(1).dtype(), expanded.get(0).dims(), results);
  }

  private static IllegalArgumentException undecided(String question) {
    return new IllegalArgumentException(
        question + " depends on the sizes of the batch and cannot be decided when loading");
  }
}
