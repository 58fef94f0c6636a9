package dev.caldera.backend.cpu;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The kernels of ops that are computed an element at a time. */
class PrimitiveKernelsTest {
  private static final double ROUNDING = 1e-13;
  private final Random random = new Random(11);

  @ParameterizedTest
  @EnumSource(Op.UnaryKind.class)
  void unary(Op.UnaryKind kind) {
    HostTensor x =
        kind == Op.UnaryKind.NOT ? bools(1, 0, 0, 1, 1) : OpCheck.random(random, 3, 5, 7);
    if (kind == Op.UnaryKind.SQRT) {
      x = HostTensor.floats(new float[] {0, 0.5f, 4, 1e10f}, 2, 2);
    }
    OpCheck.of(new Op.Unary(kind)).input(x).within(ROUNDING);
  }

  @ParameterizedTest
  @EnumSource(Op.BinaryKind.class)
  void binaryOfTwoTypes(Op.BinaryKind kind) {
    if (EnumSet.of(Op.BinaryKind.AND, Op.BinaryKind.OR).contains(kind)) {
      binary(kind, bools(0, 0, 1, 1), bools(0, 1, 0, 1));
      return;
    }
    binary(kind, integers(DType.I64, 5, -7, 1L << 40, 2), integers(DType.I64, 5, 2, 1, 3));
    HostTensor positive = HostTensor.floats(new float[] {1, 2, 0.5f, 3}, 4);
    binary(kind, positive, HostTensor.floats(new float[] {1, 3, -1.5f, 2}, 4));
  }

  @Test
  void binaryBroadcastsBothWays() {
    binary(Op.BinaryKind.ADD, OpCheck.random(random, 3, 1, 5), OpCheck.random(random, 4, 1));
    binary(Op.BinaryKind.MULTIPLY, OpCheck.random(random, 7), OpCheck.random(random, 2, 3, 7));
    binary(Op.BinaryKind.SUBTRACT, OpCheck.random(random), OpCheck.random(random, 2, 3));
  }

  @Test
  void matMulBroadcastsLeadingDims() {
    matMul(OpCheck.random(random, 3, 5), OpCheck.random(random, 5, 7));
    matMul(OpCheck.random(random, 2, 1, 3, 5), OpCheck.random(random, 4, 5, 7));
    matMul(OpCheck.random(random, 2, 4, 1, 5), OpCheck.random(random, 5, 3));
  }

  @Test
  void softmaxAndMeanAlongAnyAxis() {
    HostTensor x = OpCheck.random(random, 3, 4, 5);
    for (int axis = 0; axis < 3; axis++) {
      OpCheck.of(new Op.Softmax(axis)).input(x).within(ROUNDING);
      OpCheck.of(new Op.ReduceMean(List.of(axis), true)).input(x).within(ROUNDING);
      OpCheck.of(new Op.ReduceMean(List.of(axis), false)).input(x).within(ROUNDING);
    }
    OpCheck.of(new Op.ReduceMean(List.of(0, 2), false)).input(x).within(ROUNDING);
  }

  @Test
  void movesElementsOfEveryType() {
    HostTensor floats = OpCheck.random(random, 2, 3, 4);
    HostTensor longs = integers(DType.I64, 1, 2, 3, 4, 1L << 40, -6).reshape(2, 3, 1);
    HostTensor bytes = integers(DType.U8, 1, 0, 255, 0, 1, 1, 1).reshape(7, 1, 1);
    for (HostTensor x : List.of(floats, longs, bytes)) {
      exact(new Op.Transpose(List.of(2, 0, 1)), x);
      exact(new Op.Concat(1), x, x, x);
      exact(new Op.Slice(0, Dim.fixed(1), Dim.fixed(2)), x);
      exact(new Op.Expand(Shape.fixed(5, x.dim(0), x.dim(1), 4)), x);
      exact(new Op.Gather(0), x, integers(DType.I64, 1, -1, 0, 1).reshape(2, 2));
      exact(new Op.Gather(2), x, HostTensor.ints(new int[] {0, -1}, 2));
    }
    exact(new Op.Slice(1, Dim.fixed(1), Dim.fixed(3)), floats);
    exact(new Op.Where(), bools(1, 0, 1), OpCheck.random(random, 2, 3), OpCheck.random(random, 1));
  }

  @Test
  void castsBetweenTypes() {
    HostTensor floats = HostTensor.floats(new float[] {0, 1.9f, -1.9f, 100}, 4);
    for (DType to : List.of(DType.F32, DType.I64, DType.I32, DType.I8, DType.BOOL)) {
      exact(new Op.Cast(to), floats);
      exact(new Op.Cast(to), integers(DType.I64, 0, 1, -3, 7));
    }
  }

  @Test
  void maskedAttentionIgnoresMaskedKeys() {
    HostTensor mask = HostTensor.floats(new float[] {1, 1, 0, 1, 0, 0, 0, 0}, 2, 4);
    OpCheck.of(new Op.MaskedAttention(3, 5, 0.4f))
        .input(OpCheck.random(random, 2, 4, 15))
        .input(OpCheck.random(random, 2, 4, 15))
        .input(OpCheck.random(random, 2, 4, 15))
        .input(mask)
        .within(ROUNDING);
  }

  @Test
  void refusesAnIndexOutsideTheAxis() {
    OpCheck check =
        OpCheck.of(new Op.Gather(0))
            .input(OpCheck.random(random, 3, 2))
            .input(HostTensor.ints(new int[] {3}, 1));
    assertThatThrownBy(check::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot run node node: index 3 is out of range, expected -3 to 2");
  }

  private static void binary(Op.BinaryKind kind, HostTensor a, HostTensor b) {
    OpCheck.of(new Op.Binary(kind)).input(a).input(b).within(ROUNDING);
  }

  private static void matMul(HostTensor a, HostTensor b) {
    OpCheck.of(new Op.MatMul()).input(a).input(b).within(ROUNDING);
  }

  private static void exact(Op op, HostTensor... inputs) {
    OpCheck check = OpCheck.of(op);
    for (HostTensor input : inputs) {
      check.input(input);
    }
    check.within(0);
  }

  private static HostTensor bools(long... values) {
    return integers(DType.BOOL, values);
  }

  private static HostTensor integers(DType dtype, long... values) {
    return HostTensor.integers(dtype, values, values.length);
  }
}
