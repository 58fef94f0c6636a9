package dev.caldera.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class HostEvaluatorTest {

  private static HostTensor row(double... values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) values[i];
    }
    return HostTensor.floats(floats, floats.length);
  }

  private static HostTensor longs(long... values) {
    return HostTensor.integers(DType.I64, values, values.length);
  }

  static Stream<Class<?>> ops() {
    return Stream.of(Op.class.getPermittedSubclasses());
  }

  @ParameterizedTest
  @MethodSource("ops")
  void everyOpHasATypeRuleAndAHostRule(Class<?> op) {
    assertThat(TypeInference.registered()).contains(op.asSubclass(Op.class));
    assertThat(HostEvaluator.registered()).contains(op.asSubclass(Op.class));
  }

  @ParameterizedTest
  @CsvSource({
    "ERF, 0.5, 0.5204998778130465",
    "ERF, -2, -0.9953222650189527",
    "ERF, 5.5, 0.9999999999999927",
    "ERF, 30, 1",
    "SQRT, 2.25, 1.5",
    "TANH, 0.5, 0.46211715726000976",
    "EXP, 1, 2.718281828459045",
    "NEGATE, 3, -3",
    "RECIPROCAL, 4, 0.25",
    "RELU, -1, 0",
    "RELU, 1.5, 1.5",
    "SIGMOID, 1, 0.7310585786300049",
    "GELU_ERF, 1, 0.8413447460685429",
    "GELU_TANH, 1, 0.8411919906082768"
  })
  void unary(Op.UnaryKind kind, double x, double expected) {
    HostTensor result = HostEvaluator.apply(new Op.Unary(kind), row(x));
    assertThat(result.floatAt(0)).isEqualTo((float) expected);
  }

  @ParameterizedTest
  @CsvSource({
    "ADD, 7, 2, 9",
    "SUBTRACT, 7, 2, 5",
    "MULTIPLY, 7, 2, 14",
    "DIVIDE, -7, 2, -3",
    "POWER, -2, 3, -8",
    "MINIMUM, 7, 2, 2",
    "MAXIMUM, 7, 2, 7",
    "EQUAL, 7, 7, 1",
    "LESS, 7, 7, 0",
    "GREATER, 7, 2, 1"
  })
  void binaryOfIntegersIsExact(Op.BinaryKind kind, long x, long y, long expected) {
    assertThat(HostEvaluator.apply(new Op.Binary(kind), longs(x), longs(y)).longAt(0))
        .isEqualTo(expected);
    float exact = kind == Op.BinaryKind.DIVIDE ? -3.5f : expected;
    assertThat(HostEvaluator.apply(new Op.Binary(kind), row(x), row(y)).valueAt(0))
        .isEqualTo(exact);
  }

  @Test
  void integerOverflowAndDivisionByZeroAreErrors() {
    assertThatThrownBy(
            () ->
                HostEvaluator.apply(
                    new Op.Binary(Op.BinaryKind.MULTIPLY), longs(Long.MAX_VALUE), longs(2)))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(
            () ->
                HostEvaluator.apply(
                    new Op.Binary(Op.BinaryKind.ADD),
                    HostTensor.ints(new int[] {Integer.MAX_VALUE}, 1),
                    HostTensor.ints(new int[] {1}, 1)))
        .hasMessage("Cannot hold 2147483648 in an element of type I32");
    assertThatThrownBy(
            () -> HostEvaluator.apply(new Op.Binary(Op.BinaryKind.DIVIDE), longs(1), longs(0)))
        .hasMessage("Cannot divide 1 by 0");
  }

  @Test
  void logicAndWhere() {
    HostTensor a = HostTensor.integers(DType.BOOL, new long[] {1, 1, 0, 0}, 4);
    HostTensor b = HostTensor.integers(DType.BOOL, new long[] {1, 0, 1, 0}, 4);
    assertThat(HostEvaluator.apply(new Op.Binary(Op.BinaryKind.AND), a, b).toLongs())
        .containsExactly(1, 0, 0, 0);
    assertThat(HostEvaluator.apply(new Op.Binary(Op.BinaryKind.OR), a, b).toLongs())
        .containsExactly(1, 1, 1, 0);
    assertThat(HostEvaluator.apply(new Op.Unary(Op.UnaryKind.NOT), a).toLongs())
        .containsExactly(0, 0, 1, 1);
    assertThat(HostEvaluator.apply(new Op.Where(), a, row(5), row(1, 2, 3, 4)).toFloats())
        .containsExactly(5, 5, 3, 4);
    assertThat(HostEvaluator.apply(new Op.Where(), b, longs(5), longs(1, 2, 3, 4)).toLongs())
        .containsExactly(5, 2, 5, 4);
  }

  @Test
  void broadcastsAsNumPyDoes() {
    HostTensor column = HostTensor.floats(new float[] {10, 20}, 2, 1);
    HostTensor sum = HostEvaluator.apply(new Op.Binary(Op.BinaryKind.ADD), column, row(1, 2, 3));
    assertThat(sum.dims()).containsExactly(2, 3);
    assertThat(sum.toFloats()).containsExactly(11, 12, 13, 21, 22, 23);
  }

  @Test
  void castTruncatesTowardsZeroAndMapsToBool() {
    assertThat(HostEvaluator.apply(new Op.Cast(DType.I32), row(-1.7, 1.7)).toLongs())
        .containsExactly(-1, 1);
    assertThat(HostEvaluator.apply(new Op.Cast(DType.BOOL), row(-1.7, 0)).toLongs())
        .containsExactly(1, 0);
    assertThat(HostEvaluator.apply(new Op.Cast(DType.F32), longs(3, -4)).toFloats())
        .containsExactly(3, -4);
    long big = (1L << 60) + 1;
    assertThat(HostEvaluator.apply(new Op.Cast(DType.I64), longs(big)).toLongs())
        .containsExactly(big);
  }

  @Test
  void batchedMatMul() {
    HostTensor left = HostTensor.floats(new float[] {1, 2, 3, 4, 5, 6, 7, 8}, 2, 2, 2);
    HostTensor right = HostTensor.floats(new float[] {1, 0, 0, 2}, 2, 2);
    HostTensor product = HostEvaluator.apply(new Op.MatMul(), left, right);
    assertThat(product.dims()).containsExactly(2, 2, 2);
    assertThat(product.toFloats()).containsExactly(1, 4, 3, 8, 5, 12, 7, 16);
  }

  @Test
  void linearAddsTheBiasBeforeTheActivation() {
    HostTensor x = HostTensor.floats(new float[] {1, 2}, 1, 2);
    HostTensor weight = HostTensor.floats(new float[] {1, -1, 1, -1}, 2, 2);
    HostTensor bias = row(0.5, 1);
    assertThat(HostEvaluator.apply(new Op.Linear(Activation.RELU), x, weight, bias).toFloats())
        .containsExactly(3.5f, 0);
    assertThat(HostEvaluator.apply(new Op.Linear(Activation.NONE), x, weight, bias).toFloats())
        .containsExactly(3.5f, -2);
  }

  @Test
  void softmaxAlongAnInnerAxis() {
    HostTensor x = HostTensor.floats(new float[] {0, 1000, 0, 1000}, 2, 2);
    assertThat(HostEvaluator.apply(new Op.Softmax(0), x).toFloats())
        .containsExactly(0.5f, 0.5f, 0.5f, 0.5f);
    assertThat(HostEvaluator.apply(new Op.Softmax(1), x).toFloats()).containsExactly(0, 1, 0, 1);
  }

  @Test
  void reduceMeanOverSeveralAxes() {
    HostTensor x = HostTensor.floats(new float[] {1, 2, 3, 4, 5, 6, 7, 8}, 2, 2, 2);
    HostTensor kept = HostEvaluator.apply(new Op.ReduceMean(List.of(0, 2), true), x);
    assertThat(kept.dims()).containsExactly(1, 2, 1);
    assertThat(kept.toFloats()).containsExactly(3.5f, 5.5f);
    assertThat(HostEvaluator.apply(new Op.ReduceMean(List.of(0, 2), false), x).dims())
        .containsExactly(2);
  }

  @Test
  void movement() {
    HostTensor x = HostTensor.floats(new float[] {1, 2, 3, 4, 5, 6}, 2, 3);
    assertThat(HostEvaluator.apply(new Op.Transpose(List.of(1, 0)), x).toFloats())
        .containsExactly(1, 4, 2, 5, 3, 6);
    assertThat(HostEvaluator.apply(new Op.Reshape(Shape.fixed(3, 2)), x).dims())
        .containsExactly(3, 2);
    assertThat(HostEvaluator.apply(new Op.Expand(Shape.fixed(2, 2)), row(1, 2)).toFloats())
        .containsExactly(1, 2, 1, 2);
    assertThat(HostEvaluator.apply(new Op.Gather(1), x, longs(2, -3)).toFloats())
        .containsExactly(3, 1, 6, 4);
    assertThat(HostEvaluator.apply(new Op.Concat(1), x, x).toFloats())
        .containsExactly(1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6);
    assertThat(HostEvaluator.apply(new Op.Slice(1, Dim.fixed(1), Dim.fixed(3)), x).toFloats())
        .containsExactly(2, 3, 5, 6);
  }

  @Test
  void gatherOutsideTheTableIsAnError() {
    assertThatThrownBy(() -> HostEvaluator.apply(new Op.Gather(0), row(1, 2), longs(2)))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("Cannot gather row 2: the table has 2 rows");
  }

  @Test
  void layerNormAndAddLayerNorm() {
    HostTensor x = HostTensor.floats(new float[] {1, 3}, 1, 2);
    HostTensor y = HostEvaluator.apply(new Op.LayerNorm(0), x, row(2, 2), row(10, 10));
    assertThat(y.toFloats()).containsExactly(8, 12);
    HostTensor residual = HostTensor.floats(new float[] {4, 0}, 1, 2);
    HostTensor z = HostEvaluator.apply(new Op.AddLayerNorm(0), x, residual, row(2, 2), row(10, 10));
    assertThat(z.toFloats()).containsExactly(12, 8);
  }

  @Test
  void embeddingNormSumsThreeTables() {
    HostTensor words = HostTensor.floats(new float[] {0, 0, 1, 3}, 2, 2);
    HostTensor positions = HostTensor.floats(new float[] {0, 0, 0, 4}, 2, 2);
    HostTensor types = HostTensor.floats(new float[] {5, 5}, 1, 2);
    HostTensor y =
        HostEvaluator.apply(
            new Op.EmbeddingNorm(0),
            HostTensor.ints(new int[] {1, 0}, 2),
            HostTensor.ints(new int[] {0, 1}, 2),
            HostTensor.ints(new int[] {0, 0}, 2),
            words,
            positions,
            types,
            row(1, 1),
            row(0, 0));
    assertThat(y.toFloats()).containsExactly(-1, 1, -1, 1);
  }

  @Test
  void poolEachWay() {
    HostTensor x = HostTensor.floats(new float[] {3, 4, 1, 8, 5, 0}, 3, 2);
    HostTensor starts = HostTensor.ints(new int[] {0, 2, 2, 3}, 4);
    assertThat(pool(Op.Pooling.MEAN, false, x, starts)).containsExactly(2, 6, 0, 0, 5, 0);
    assertThat(pool(Op.Pooling.CLS, false, x, starts)).containsExactly(3, 4, 0, 0, 5, 0);
    assertThat(pool(Op.Pooling.LAST, false, x, starts)).containsExactly(1, 8, 0, 0, 5, 0);
    assertThat(pool(Op.Pooling.MAX, false, x, starts)).containsExactly(3, 8, 0, 0, 5, 0);
    assertThat(pool(Op.Pooling.CLS, true, x, starts)).containsExactly(0.6f, 0.8f, 0, 0, 1, 0);
  }

  private static float[] pool(
      Op.Pooling pooling, boolean normalize, HostTensor x, HostTensor starts) {
    return HostEvaluator.apply(new Op.Pool(pooling, normalize), x, starts).toFloats();
  }

  @Test
  void poolRefusesStartsOutsideTheRows() {
    HostTensor x = HostTensor.floats(new float[] {3, 4}, 1, 2);
    assertThatThrownBy(() -> pool(Op.Pooling.MEAN, false, x, HostTensor.ints(new int[] {0, 2}, 2)))
        .hasMessageStartingWith("Cannot read starts[1] = 2: ");
  }

  @Test
  void attentionWeighsTheVisibleKeys() {
    // One head of size 1: scores are q k, and both keys score alike for q = 0.
    HostTensor q = HostTensor.floats(new float[] {0, (float) Math.log(3)}, 1, 2, 1);
    HostTensor k = HostTensor.floats(new float[] {1, 0}, 1, 2, 1);
    HostTensor v = HostTensor.floats(new float[] {4, 8}, 1, 2, 1);
    Op.MaskedAttention op = new Op.MaskedAttention(1, 1, 1);
    float[] all =
        HostEvaluator.apply(op, q, k, v, HostTensor.floats(new float[] {1, 1}, 1, 2)).toFloats();
    assertThat(all[0]).isEqualTo(6);
    assertThat(all[1]).isCloseTo(5, within(1e-5f));
    assertThat(
            HostEvaluator.apply(op, q, k, v, HostTensor.floats(new float[] {0, 1}, 1, 2))
                .toFloats())
        .containsExactly(8, 8);
    assertThat(
            HostEvaluator.apply(op, q, k, v, HostTensor.floats(new float[] {0, 0}, 1, 2))
                .toFloats())
        .containsExactly(0, 0);
  }

  @Test
  void packedAttentionIsMaskedAttentionOfEachSequence() {
    HostTensor qkv = RandomTensors.normal(7, 5, 3 * 2 * 4);
    Op.PackedAttention packed = new Op.PackedAttention(2, 4, 0.5f);
    HostTensor together = HostEvaluator.apply(packed, qkv, HostTensor.ints(new int[] {0, 2, 5}, 3));
    int[] starts = {0, 2, 5};
    for (int s = 0; s < 2; s++) {
      int length = starts[s + 1] - starts[s];
      HostTensor own = slice(qkv, 0, starts[s], starts[s + 1]);
      HostTensor[] parts = new HostTensor[3];
      for (int i = 0; i < 3; i++) {
        parts[i] = slice(own, 1, 8 * i, 8 * i + 8).reshape(1, length, 8);
      }
      HostTensor mask = HostTensor.floats(new float[] {1, 1, 1}, 1, 3);
      HostTensor expected =
          HostEvaluator.apply(
              new Op.MaskedAttention(2, 4, 0.5f),
              parts[0],
              parts[1],
              parts[2],
              slice(mask, 1, 0, length));
      assertThat(slice(together, 0, starts[s], starts[s + 1]).toFloats())
          .isEqualTo(expected.toFloats());
    }
  }

  private static HostTensor slice(HostTensor x, int axis, int start, int end) {
    return HostEvaluator.apply(new Op.Slice(axis, Dim.fixed(start), Dim.fixed(end)), x);
  }

  @Test
  void quantisedMatMulIsCloseToTheRealOne() {
    HostTensor x = RandomTensors.normal(1, 3, 8);
    HostTensor weight = RandomTensors.normal(2, 8, 4);
    List<HostTensor> a = HostEvaluator.apply("a", new Op.DynamicQuantize(), Map.of(), List.of(x));
    List<HostTensor> b =
        HostEvaluator.apply("b", new Op.DynamicQuantize(), Map.of(), List.of(weight));
    HostTensor product =
        HostEvaluator.apply(new Op.MatMulInteger(), a.get(0), b.get(0), a.get(2), b.get(2));
    HostTensor scale =
        HostEvaluator.apply(new Op.Binary(Op.BinaryKind.MULTIPLY), a.get(1), b.get(1));
    HostTensor result =
        HostEvaluator.apply(
            new Op.Binary(Op.BinaryKind.MULTIPLY),
            HostEvaluator.apply(new Op.Cast(DType.F32), product),
            scale);
    assertThat(result.nmse(HostEvaluator.apply(new Op.MatMul(), x, weight))).isLessThan(1e-3);
    HostTensor back = HostEvaluator.apply(new Op.Dequantize(0), b.get(0), b.get(1), b.get(2));
    assertThat(back.nmse(weight)).isLessThan(1e-4);
  }

  @Test
  void dequantizeAlongAnAxis() {
    HostTensor x = HostTensor.integers(DType.I8, new long[] {1, 2, 3, 4}, 2, 2);
    HostTensor zero = HostTensor.integers(DType.I8, new long[] {1, 0}, 2);
    assertThat(HostEvaluator.apply(new Op.Dequantize(0), x, row(2, 10), zero).toFloats())
        .containsExactly(0, 2, 30, 40);
    assertThat(HostEvaluator.apply(new Op.Dequantize(1), x, row(2, 10), zero).toFloats())
        .containsExactly(0, 20, 4, 40);
  }

  @Test
  void evaluatesAGraphWithSymbolicDims() {
    GraphBuilder builder = new GraphBuilder("halves");
    Dim rows = Dim.symbol("rows");
    Value x = builder.input("x", new TensorType(DType.F32, Shape.of(rows, Dim.fixed(4))));
    Shape halves = Shape.of(Dim.product(rows, Dim.fixed(2)), Dim.fixed(2));
    builder.output(builder.add("y", new Op.Reshape(halves), x));
    builder.limit("rows", 3);
    Graph graph = builder.build();
    HostTensor y = HostEvaluator.evaluateSingle(graph, Map.of("x", RandomTensors.normal(1, 3, 4)));
    assertThat(y.dims()).containsExactly(6, 2);
    assertThatThrownBy(() -> HostEvaluator.evaluate(graph, Map.of()))
        .hasMessage("Cannot evaluate graph halves: input x: f32[rows, 4] is missing");
    assertThatThrownBy(
            () -> HostEvaluator.evaluate(graph, Map.of("x", RandomTensors.normal(1, 3, 5))))
        .hasMessage(
            "Cannot evaluate graph halves: input x: f32[rows, 4] is given a tensor of f32[3, 5]");
    assertThatThrownBy(
            () -> HostEvaluator.evaluate(graph, Map.of("x", RandomTensors.normal(1, 4, 4))))
        .hasMessage("Cannot evaluate graph halves: rows is 4, at most 3 is possible");
  }
}
