package dev.caldera.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.GraphBuilder;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.Op.BinaryKind;
import dev.caldera.graph.Op.UnaryKind;
import dev.caldera.graph.RandomTensors;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorType;
import dev.caldera.graph.Value;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class FuseLayerNormTest {

  private static final Map<String, HostTensor> INPUTS = Map.of("x", RandomTensors.normal(1, 3, 6));

  /** The pattern with knobs for its variants. */
  private static final class Pattern {
    private int axis = 1;
    private float power = 2;
    private boolean product;
    private boolean reciprocal;
    private boolean twice;
    private boolean otherMean;
    private boolean leaks;
    private long gammaRows = 1;

    Graph build() {
      GraphBuilder g = new GraphBuilder("norm");
      Shape shape = Shape.of(Dim.symbol("rows"), Dim.fixed(6));
      Value x = g.input("x", new TensorType(DType.F32, shape));
      Value gamma =
          gammaRows == 1
              ? g.constant("gamma", RandomTensors.normal(2, 6))
              : g.constant("gamma", RandomTensors.normal(2, 1));
      Value beta = g.constant("beta", RandomTensors.normal(3, 6));
      Value two = g.constant("two", HostTensor.floats(new float[] {power}));
      Value epsilon = g.constant("epsilon", HostTensor.floats(new float[] {1e-5f}));
      Op mean = new Op.ReduceMean(List.of(axis), true);
      Op subtract = new Op.Binary(BinaryKind.SUBTRACT);
      Value centre = g.add("mean", mean, x);
      Value centred = g.add("centred", subtract, x, otherMean ? epsilon : centre);
      Value again = twice ? g.add("again", subtract, x, g.add("mean2", mean, x)) : centred;
      Value square =
          product
              ? g.add("square", new Op.Binary(BinaryKind.MULTIPLY), again, again)
              : g.add("square", new Op.Binary(BinaryKind.POWER), again, two);
      Value variance = g.add("variance", mean, square);
      Value sum = g.add("sum", new Op.Binary(BinaryKind.ADD), variance, epsilon);
      Value root = g.add("root", new Op.Unary(UnaryKind.SQRT), sum);
      Value normal =
          reciprocal
              ? g.add(
                  "normal",
                  new Op.Binary(BinaryKind.MULTIPLY),
                  g.add("inverse", new Op.Unary(UnaryKind.RECIPROCAL), root),
                  centred)
              : g.add("normal", new Op.Binary(BinaryKind.DIVIDE), centred, root);
      Value scaled = g.add("scaled", new Op.Binary(BinaryKind.MULTIPLY), gamma, normal);
      g.output(g.add("y", new Op.Binary(BinaryKind.ADD), scaled, beta));
      if (leaks) {
        g.output(variance);
      }
      return g.build();
    }
  }

  private static Graph pattern(Consumer<Pattern> change) {
    Pattern pattern = new Pattern();
    change.accept(pattern);
    return pattern.build();
  }

  private static void fused(Graph graph) {
    Graph result = RewriteChecks.applied(new FuseLayerNorm(), graph, INPUTS);
    assertThat(result.nodes()).extracting(n -> n.op()).containsExactly(new Op.LayerNorm(1e-5f));
  }

  @Test
  void recognisesItsForms() {
    fused(pattern(p -> {}));
    fused(pattern(p -> p.product = true));
    fused(pattern(p -> p.reciprocal = true));
    fused(pattern(p -> p.twice = true));
  }

  @Test
  void leavesNearMissesAlone() {
    RewriteChecks.leftAlone(new FuseLayerNorm(), pattern(p -> p.axis = 0));
    RewriteChecks.leftAlone(new FuseLayerNorm(), pattern(p -> p.power = 3));
    RewriteChecks.leftAlone(new FuseLayerNorm(), pattern(p -> p.gammaRows = 0));
    RewriteChecks.leftAlone(new FuseLayerNorm(), pattern(p -> p.leaks = true));
    Graph other = pattern(p -> p.otherMean = true);
    assertThat(new FuseLayerNorm().apply(other).count()).isZero();
  }
}
