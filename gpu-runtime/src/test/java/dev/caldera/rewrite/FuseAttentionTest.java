package dev.caldera.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.GraphBuilder;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.Op.BinaryKind;
import dev.caldera.graph.RandomTensors;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorType;
import dev.caldera.graph.Value;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class FuseAttentionTest {

  private static final Map<String, HostTensor> INPUTS =
      Map.of(
          "q", RandomTensors.normal(1, 2, 3, 8),
          "k", RandomTensors.normal(2, 2, 3, 8),
          "v", RandomTensors.normal(3, 2, 3, 8),
          "attention_mask", HostTensor.integers(DType.I64, new long[] {1, 1, 0, 1, 1, 1}, 2, 3));

  /** Where the scale stands. */
  private enum Scale {
    SCORES,
    QUERY,
    BOTH
  }

  /** How the mask gets to the scores. */
  private enum Mask {
    ADDED,
    EXPANDED,
    CHOSEN,
    WEAK,
    FLIPPED,
    QUERIES
  }

  /** The pattern with knobs for its variants. */
  private static final class Pattern {
    private final GraphBuilder g = new GraphBuilder("attention");
    private final Dim batch = Dim.symbol("batch");
    private final Dim sequence = Dim.symbol("sequence");
    private Scale scale = Scale.SCORES;
    private Mask mask = Mask.ADDED;
    private String maskName = "attention_mask";
    private List<Integer> keys = List.of(0, 2, 3, 1);
    private int axis = 3;
    private boolean leaks;

    private Value input(String name) {
      return g.input(name, new TensorType(DType.F32, Shape.of(batch, sequence, Dim.fixed(8))));
    }

    private Value binary(BinaryKind kind, String name, Value left, Value right) {
      return g.add(name, new Op.Binary(kind), left, right);
    }

    private Value number(String name, double value) {
      return g.constant(name, HostTensor.floats(new float[] {(float) value}));
    }

    private Value heads(Value value, List<Integer> permutation) {
      Shape split = Shape.of(batch, sequence, Dim.fixed(2), Dim.fixed(4));
      Value parts = g.add(value.name() + "_split", new Op.Reshape(split), value);
      return g.add(value.name() + "_heads", new Op.Transpose(permutation), parts);
    }

    private Value mask(Value scores) {
      Value ids = g.input(maskName, new TensorType(DType.I64, Shape.of(batch, sequence)));
      boolean queries = mask == Mask.QUERIES;
      Dim one = Dim.fixed(1);
      Shape shape =
          queries ? Shape.of(batch, one, sequence, one) : Shape.of(batch, one, one, sequence);
      Value kept = g.add("kept", new Op.Cast(DType.F32), g.add("ids4", new Op.Reshape(shape), ids));
      Value hidden =
          mask == Mask.FLIPPED
              ? kept
              : binary(BinaryKind.SUBTRACT, "hidden", number("one", 1), kept);
      if (mask == Mask.CHOSEN) {
        Value condition = g.add("condition", new Op.Cast(DType.BOOL), hidden);
        return g.add("masked", new Op.Where(), condition, number("low", -1e9), scores);
      }
      if (mask == Mask.EXPANDED || queries) {
        Shape square = Shape.of(batch, one, sequence, sequence);
        hidden = g.add("square", new Op.Expand(square), hidden);
      }
      Value low = number("low", mask == Mask.WEAK ? -10 : -3.4028235e38);
      return binary(
          BinaryKind.ADD, "masked", scores, binary(BinaryKind.MULTIPLY, "bias", hidden, low));
    }

    Graph build() {
      Value q = input("q");
      Value k = input("k");
      Value v = input("v");
      Value source = q;
      if (scale != Scale.SCORES) {
        source = binary(BinaryKind.MULTIPLY, "q_scaled", q, number("half", 0.5));
      }
      Value scores =
          g.add("product", new Op.MatMul(), heads(source, List.of(0, 2, 1, 3)), heads(k, keys));
      if (scale != Scale.QUERY) {
        scores = binary(BinaryKind.DIVIDE, "scores", scores, number("two", 2));
      }
      Value weights = g.add("weights", new Op.Softmax(axis), mask(scores));
      Value context = g.add("context", new Op.MatMul(), weights, heads(v, List.of(0, 2, 1, 3)));
      Value joined = g.add("joined", new Op.Transpose(List.of(0, 2, 1, 3)), context);
      g.output(g.add("y", new Op.Reshape(Shape.of(batch, sequence, Dim.fixed(8))), joined));
      if (leaks) {
        g.output(weights);
      }
      return g.build();
    }
  }

  private static Graph pattern(Consumer<Pattern> change) {
    Pattern pattern = new Pattern();
    change.accept(pattern);
    return pattern.build();
  }

  private static void fused(float scale, Consumer<Pattern> change) {
    Graph result = RewriteChecks.applied(new FuseAttention(), pattern(change), INPUTS);
    assertThat(result.nodes())
        .extracting(n -> n.op())
        .containsExactly(new Op.Cast(DType.F32), new Op.MaskedAttention(2, 4, scale));
  }

  @Test
  void recognisesItsForms() {
    fused(0.5f, p -> {});
    fused(0.5f, p -> p.scale = Scale.QUERY);
    fused(0.25f, p -> p.scale = Scale.BOTH);
    fused(0.5f, p -> p.mask = Mask.EXPANDED);
    fused(0.5f, p -> p.mask = Mask.CHOSEN);
  }

  private static void leftAlone(Consumer<Pattern> change) {
    RewriteChecks.leftAlone(new FuseAttention(), pattern(change));
  }

  @Test
  void leavesNearMissesAlone() {
    leftAlone(p -> p.mask = Mask.WEAK);
    leftAlone(p -> p.mask = Mask.FLIPPED);
    leftAlone(p -> p.mask = Mask.QUERIES);
    leftAlone(p -> p.maskName = "head_mask");
    leftAlone(p -> p.axis = 2);
    leftAlone(p -> p.leaks = true);
  }
}
