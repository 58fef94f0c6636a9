package dev.caldera.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.GraphBuilder;
import dev.caldera.graph.HostEvaluator;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.Op.BinaryKind;
import dev.caldera.graph.RandomTensors;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorType;
import dev.caldera.graph.Value;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FoldingTest {

  private static final Op ADD = new Op.Binary(BinaryKind.ADD);
  private static final Op MULTIPLY = new Op.Binary(BinaryKind.MULTIPLY);
  private static final Map<String, HostTensor> INPUTS = Map.of("x", RandomTensors.normal(1, 3, 4));

  private final GraphBuilder g = new GraphBuilder("g");
  private final Value x =
      g.input("x", new TensorType(DType.F32, Shape.of(Dim.symbol("rows"), Dim.fixed(4))));

  @Test
  void constantsAreFoldedThroughSeveralNodes() {
    Value weight = g.constant("weight", RandomTensors.normal(2, 3, 4));
    Value turned = g.add("turned", new Op.Transpose(List.of(1, 0)), weight);
    Value doubled = g.add("doubled", ADD, turned, turned);
    g.output(g.add("y", new Op.MatMul(), x, doubled));
    Graph result = RewriteChecks.applied(new FoldConstants(), g.build(), INPUTS);
    assertThat(RewriteChecks.ops(result)).containsExactly("MatMul");
    assertThat(result.constants().keySet()).extracting(Value::name).containsExactly("doubled");
  }

  @Test
  void muchOfLittleIsNotFolded() {
    Value one = g.constant("one", HostTensor.floats(new float[] {1}, 1));
    Value many = g.add("many", new Op.Expand(Shape.fixed(1 << 20)), one);
    g.output(g.add("y", ADD, many, many));
    RewriteChecks.leftAlone(new FoldConstants(), g.build());
  }

  @Test
  void opsThatChangeNothingAreBypassed() {
    Value cast = g.add("cast", new Op.Cast(DType.F32), x);
    Value turned = g.add("turned", new Op.Transpose(List.of(0, 1)), cast);
    Value shaped = g.add("shaped", new Op.Reshape(x.type().shape()), turned);
    g.output(g.add("y", ADD, shaped, cast));
    Graph result = RewriteChecks.applied(new RemoveNoOps(), g.build(), INPUTS);
    assertThat(RewriteChecks.ops(result)).containsExactly("Binary");
    assertThat(result.nodes().get(0).inputs()).containsExactly(x, x);
  }

  @Test
  void deadCodeIsCountedAndDropped() {
    Value unused = g.constant("unused", RandomTensors.normal(2, 4));
    g.add("dead", ADD, x, unused);
    g.output(g.add("y", ADD, x, x));
    Rewrite.Result result = new DeadCode().apply(g.build());
    assertThat(result.count()).isEqualTo(2);
    assertThat(result.graph().nodes()).extracting(n -> n.name()).containsExactly("y");
    assertThat(result.graph().constants()).isEmpty();
  }

  private Value quantizedProduct(Value scale) {
    List<Value> quantized =
        g.add("quantize", new Op.DynamicQuantize(), List.of(x), List.of("q", "s", "z"));
    HostTensor weight = RandomTensors.ints(5, 200, 4, 3);
    HostTensor bytes = HostTensor.integers(DType.U8, weight.toLongs(), 4, 3);
    Value zero = g.constant("zero", HostTensor.integers(DType.U8, new long[] {90, 100, 110}, 3));
    Value product =
        g.add(
            "product",
            new Op.MatMulInteger(),
            quantized.get(0),
            g.constant("bytes", bytes),
            quantized.get(2),
            zero);
    Value cast = g.add("cast", new Op.Cast(DType.F32), product);
    Value scales = g.add("scales", MULTIPLY, quantized.get(1), scale);
    return g.add("y", MULTIPLY, cast, scales);
  }

  @Test
  void quantizedProductsBecomeProductsOfFloats() {
    g.output(
        quantizedProduct(
            g.constant("scale", HostTensor.floats(new float[] {0.1f, 0.2f, 0.3f}, 3))));
    Graph graph = g.build();
    Rewrite.Result result = new DequantizeWeights().apply(graph);
    assertThat(RewriteChecks.ops(result.graph())).containsExactly("MatMul");
    HostTensor before = HostEvaluator.evaluateSingle(graph, INPUTS);
    HostTensor after = HostEvaluator.evaluateSingle(result.graph(), INPUTS);
    assertThat(after.nmse(before)).isBetween(1e-12, 1e-3);
    // A row alone gives the same bits, which it does not when activations are quantized.
    HostTensor first = row(RandomTensors.normal(1, 3, 4));
    assertThat(HostEvaluator.evaluateSingle(result.graph(), Map.of("x", first)).toFloats())
        .isEqualTo(row(after).toFloats());
    assertThat(HostEvaluator.evaluateSingle(graph, Map.of("x", first)).toFloats())
        .isNotEqualTo(row(before).toFloats());
  }

  private static HostTensor row(HostTensor x) {
    return HostEvaluator.apply(new Op.Slice(0, Dim.fixed(0), Dim.fixed(1)), x);
  }

  @Test
  void aScaleThatIsComputedIsLeftAlone() {
    Value mean = g.add("mean", new Op.ReduceMean(List.of(0, 1), false), x);
    g.output(quantizedProduct(mean));
    RewriteChecks.leftAlone(new DequantizeWeights(), g.build());
  }

  @Test
  void quantizedTablesAreDequantized() {
    GraphBuilder table = new GraphBuilder("table");
    Value ids = table.input("ids", new TensorType(DType.I64, Shape.of(Dim.symbol("tokens"))));
    HostTensor bytes =
        HostTensor.integers(DType.U8, RandomTensors.ints(1, 256, 5, 4).toLongs(), 5, 4);
    Value rows = table.add("rows", new Op.Gather(0), table.constant("bytes", bytes), ids);
    Value scale = table.constant("scale", HostTensor.floats(new float[] {0.5f}));
    Value zero = table.constant("zero", HostTensor.integers(DType.U8, new long[] {7}));
    table.output(table.add("y", new Op.Dequantize(0), rows, scale, zero));
    Graph result =
        RewriteChecks.applied(
            new DequantizeWeights(),
            table.build(),
            Map.of("ids", HostTensor.integers(DType.I64, new long[] {4, 0, 4}, 3)));
    assertThat(RewriteChecks.ops(result)).containsExactly("Gather");
  }
}
