package dev.caldera.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.graph.Activation;
import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.GraphBuilder;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Op.BinaryKind;
import dev.caldera.graph.Op.UnaryKind;
import dev.caldera.graph.RandomTensors;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorType;
import dev.caldera.graph.Value;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FuseLinearTest {

  private static final Map<String, HostTensor> INPUTS = Map.of("x", RandomTensors.normal(1, 5, 4));
  private static final Op ADD = new Op.Binary(BinaryKind.ADD);

  private final GraphBuilder g = new GraphBuilder("linear");
  private final Value x =
      g.input("x", new TensorType(DType.F32, Shape.of(Dim.symbol("rows"), Dim.fixed(4))));
  private final Value weight = g.constant("weight", RandomTensors.normal(2, 4, 4));
  private final Value bias = g.constant("bias", RandomTensors.normal(3, 4));

  private Graph applied() {
    return RewriteChecks.applied(new FuseLinear(), g.build(), INPUTS);
  }

  @Test
  void productBiasAndActivation() {
    Value product = g.add("product", new Op.MatMul(), x, weight);
    Value sum = g.add("sum", ADD, bias, product);
    g.output(g.add("y", new Op.Unary(UnaryKind.GELU_TANH), sum));
    assertThat(applied().nodes())
        .extracting(Node::op)
        .containsExactly(new Op.Linear(Activation.GELU_TANH));
  }

  @Test
  void aProductAloneGetsZeros() {
    g.output(g.add("product", new Op.MatMul(), x, weight));
    Graph result = applied();
    assertThat(result.nodes()).extracting(Node::op).containsExactly(new Op.Linear(Activation.NONE));
    assertThat(result.nodes().get(0).input(2).type()).hasToString("f32[4]");
  }

  @Test
  void aProductThatIsReadTwiceKeepsItsSum() {
    Value product = g.add("product", new Op.MatMul(), x, weight);
    Value sum = g.add("sum", ADD, product, bias);
    g.output(g.add("y", ADD, sum, product));
    assertThat(RewriteChecks.ops(applied())).containsExactly("Linear", "Binary", "Binary");
  }

  @Test
  void anActivationOfWhatIsReadTwiceStays() {
    Value sum = g.add("sum", ADD, g.add("product", new Op.MatMul(), x, weight), bias);
    g.output(g.add("y", ADD, g.add("relu", new Op.Unary(UnaryKind.RELU), sum), sum));
    assertThat(RewriteChecks.ops(applied())).containsExactly("Linear", "Unary", "Binary");
  }

  @Test
  void productsOfActivationsStay() {
    Value square =
        g.add("square", new Op.MatMul(), g.constant("left", RandomTensors.normal(4, 3, 4)), weight);
    g.output(g.add("y", ADD, square, bias));
    RewriteChecks.leftAlone(new FuseLinear(), g.build());
  }

  @Test
  void residualAndNormalisation() {
    Value linear = g.add("linear", new Op.Linear(Activation.NONE), x, weight, bias);
    Value sum = g.add("sum", ADD, x, linear);
    g.output(g.add("y", new Op.LayerNorm(1e-5f), sum, bias, bias));
    Graph result = RewriteChecks.applied(new FuseAddLayerNorm(), g.build(), INPUTS);
    assertThat(RewriteChecks.ops(result)).containsExactly("Linear", "AddLayerNorm");
    assertThat(result.nodes().get(1).inputs()).startsWith(linear, x);
  }

  @Test
  void aSumThatIsReadTwiceKeepsItsNormalisation() {
    Value sum = g.add("sum", ADD, x, x);
    g.output(g.add("y", ADD, g.add("norm", new Op.LayerNorm(1e-5f), sum, bias, bias), sum));
    RewriteChecks.leftAlone(new FuseAddLayerNorm(), g.build());
  }

  @Test
  void aBroadcastSumKeepsItsNormalisation() {
    Value sum = g.add("sum", ADD, x, bias);
    g.output(g.add("y", new Op.LayerNorm(1e-5f), sum, bias, bias));
    RewriteChecks.leftAlone(new FuseAddLayerNorm(), g.build());
  }
}
