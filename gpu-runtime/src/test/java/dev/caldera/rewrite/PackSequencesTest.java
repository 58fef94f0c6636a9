package dev.caldera.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.graph.Activation;
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
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PackSequencesTest {

  private static final Op ADD = new Op.Binary(BinaryKind.ADD);
  private static final Dim BATCH = Dim.symbol("batch");
  private static final Dim SEQUENCE = Dim.symbol("sequence");
  private static final int WIDTH = 8;

  private final GraphBuilder g = new GraphBuilder("encoder");
  private final Value ids = integers("input_ids");
  private final Value mask = integers("attention_mask");
  private final Value types = integers("token_type_ids");
  private final Value gamma = g.constant("gamma", RandomTensors.normal(1, WIDTH));
  private final Value beta = g.constant("beta", RandomTensors.normal(2, WIDTH));

  private Value integers(String name) {
    return g.input(name, new TensorType(DType.I64, Shape.of(BATCH, SEQUENCE)));
  }

  private Value table(String name, int rows, long seed) {
    return g.constant(name, RandomTensors.normal(seed, rows, WIDTH));
  }

  /** Positions from 2, as some models count them. */
  private Value embedding() {
    HostTensor all = HostTensor.integers(DType.I64, LongStream.range(2, 8).toArray(), 1, 6);
    Value positions =
        g.add(
            "positions_of",
            new Op.Slice(1, Dim.fixed(0), SEQUENCE),
            g.constant("position_ids", all));
    Value words = g.add("words", new Op.Gather(0), table("word_table", 9, 3), ids);
    Value places = g.add("places", new Op.Gather(0), table("place_table", 8, 4), positions);
    Value kinds = g.add("kinds", new Op.Gather(0), table("kind_table", 2, 5), types);
    Value sum = g.add("sum", ADD, g.add("sum1", ADD, words, places), kinds);
    return g.add("embedded", new Op.LayerNorm(1e-5f), sum, gamma, beta);
  }

  private Value linear(String name, Value x, long seed) {
    Value weight = g.constant(name + "_weight", RandomTensors.normal(seed, WIDTH, WIDTH));
    Value bias = g.constant(name + "_bias", RandomTensors.normal(seed + 1, WIDTH));
    return g.add(name, new Op.Linear(Activation.NONE), x, weight, bias);
  }

  private Value attention(Value x) {
    return g.add(
        "attention",
        new Op.MaskedAttention(2, 4, 0.5f),
        linear("q", x, 10),
        linear("k", x, 12),
        linear("v", x, 14),
        g.add("mask", new Op.Cast(DType.F32), mask));
  }

  private static final int[][] TEXTS = {{4, 1, 7}, {8}, {2, 3, 5, 6, 0}};

  private static HostTensor padded(int[][] rows) {
    long[] values = new long[rows.length * 5];
    for (int b = 0; b < rows.length; b++) {
      for (int i = 0; i < rows[b].length; i++) {
        values[b * 5 + i] = rows[b][i];
      }
    }
    return HostTensor.integers(DType.I64, values, rows.length, 5);
  }

  private static final Map<String, HostTensor> PADDED =
      Map.of(
          "input_ids", padded(TEXTS),
          "attention_mask", padded(new int[][] {{1, 1, 1}, {1}, {1, 1, 1, 1, 1}}),
          "token_type_ids", padded(new int[][] {{0, 1, 1}, {0}, {0, 0, 0, 1, 1}}));

  private static final Map<String, HostTensor> PACKED =
      Map.of(
          "tokenIds", HostTensor.ints(new int[] {4, 1, 7, 8, 2, 3, 5, 6, 0}, 9),
          "positions", HostTensor.ints(new int[] {2, 3, 4, 2, 2, 3, 4, 5, 6}, 9),
          "typeIds", HostTensor.ints(new int[] {0, 1, 1, 0, 0, 0, 0, 1, 1}, 9),
          "starts", HostTensor.ints(new int[] {0, 3, 4, 9}, 4));

  /** The rows of real tokens of a padded result [3, 5, width]. */
  private static HostTensor realRows(HostTensor padded) {
    HostTensor rows = padded.reshape(15, padded.dim(2));
    return HostEvaluator.apply(
        new Op.Gather(0), rows, HostTensor.ints(new int[] {0, 1, 2, 5, 10, 11, 12, 13, 14}, 9));
  }

  private static Graph packedAlike(Graph graph) {
    Graph packed = new PackSequences().apply(graph).graph();
    HostTensor before = realRows(HostEvaluator.evaluateSingle(graph, PADDED));
    HostTensor after = HostEvaluator.evaluateSingle(packed, PACKED);
    assertThat(after.nmse(before)).isLessThan(1e-10);
    return packed;
  }

  @Test
  void packsAnEncoderAndThenFusesItsInputsAndItsEmbedding() {
    Value x = embedding();
    Value out = linear("out", attention(x), 16);
    g.output(g.add("y", new Op.AddLayerNorm(1e-5f), out, x, gamma, beta));
    Graph graph = g.build();
    assertThat(PackSequences.positionOffset(graph)).isEqualTo(2);
    assertThat(PackSequences.longestSequence(graph)).hasValue(6);
    Graph packed = packedAlike(graph);
    assertThat(packed.outputs().get(0).type()).hasToString("f32[tokens, 8]");

    Graph joined = RewriteChecks.applied(new FuseQkv(), packed, PACKED);
    Graph fused = RewriteChecks.applied(new FuseEmbedding(), joined, PACKED);
    assertThat(RewriteChecks.ops(fused))
        .containsExactly("EmbeddingNorm", "Linear", "PackedAttention", "Linear", "AddLayerNorm");
  }

  @Test
  void packsRowWiseOps() {
    Value x = embedding();
    Shape heads = Shape.of(BATCH, SEQUENCE, Dim.fixed(2), Dim.fixed(4));
    Value split = g.add("split", new Op.Reshape(heads), x);
    Value turned = g.add("turned", new Op.Transpose(List.of(0, 1, 3, 2)), split);
    Value soft = g.add("soft", new Op.Softmax(3), turned);
    Value mean = g.add("mean", new Op.ReduceMean(List.of(2), true), soft);
    Value scaled = g.add("scaled", ADD, soft, mean);
    Value flat = g.add("flat", new Op.Reshape(x.type().shape()), scaled);
    Value half = g.add("half", new Op.Slice(2, Dim.fixed(0), Dim.fixed(4)), flat);
    Value joined = g.add("joined", new Op.Concat(2), half, flat);
    Value one = g.constant("one", RandomTensors.normal(9, 1, 1, 12));
    g.output(g.add("y", ADD, joined, one));
    packedAlike(g.build());
  }

  private void refused(Value output, String message) {
    g.output(output);
    Graph graph = g.build();
    assertThatThrownBy(() -> new PackSequences().apply(graph))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot pack sequences of graph encoder: ")
        .hasMessageContaining(message);
  }

  @Test
  void anOpAcrossRowsIsNamed() {
    Value mean = g.add("across", new Op.ReduceMean(List.of(1), true), embedding());
    refused(mean, "node across, ReduceMean[axes=[1], keepDims=true]: it works along axis 1");
  }

  @Test
  void anOpThatMovesRowsIsNamed() {
    refused(
        g.add("moved", new Op.Transpose(List.of(1, 0, 2)), embedding()),
        "node moved, Transpose[permutation=[1, 0, 2]]: it moves rows");
  }

  @Test
  void attentionThatIsNotFusedIsNamed() {
    Value x = embedding();
    Value turned = g.add("turned", new Op.Transpose(List.of(0, 2, 1)), x);
    refused(
        g.add("scores", new Op.MatMul(), x, turned),
        "node turned, Transpose[permutation=[0, 2, 1]]: it moves rows");
  }

  @Test
  void anotherUseOfTheMaskIsNamed() {
    Value real = g.add("real", new Op.Cast(DType.F32), mask);
    Value column = g.add("column", new Op.Reshape(Shape.of(BATCH, SEQUENCE, Dim.fixed(1))), real);
    refused(
        g.add("kept", new Op.Binary(BinaryKind.MULTIPLY), embedding(), column),
        "it reads the attention mask, which packed sequences do not have");
  }

  @Test
  void inputsOfFixedSizeAreRefused() {
    GraphBuilder fixed = new GraphBuilder("fixed");
    Value x = fixed.input("input_ids", new TensorType(DType.I64, Shape.fixed(1, 5)));
    fixed.output(fixed.add("y", ADD, x, x));
    assertThatThrownBy(() -> new PackSequences().apply(fixed.build()))
        .hasMessage(
            "Cannot pack sequences of graph fixed: it needs an input input_ids of integers [batch,"
                + " sequence], both open, but has [input_ids: i64[1, 5]]");
  }

  @Test
  void anotherInputIsNamed() {
    integers("other");
    refused(embedding(), "input other: i64[batch, sequence] is none of input_ids,");
  }
}
