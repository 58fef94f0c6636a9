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
import java.util.Map;
import org.junit.jupiter.api.Test;

class FuseGeluTest {

  private static final Map<String, HostTensor> INPUTS = Map.of("x", RandomTensors.normal(1, 5, 4));

  private final GraphBuilder g = new GraphBuilder("gelu");
  private final Value x =
      g.input("x", new TensorType(DType.F32, Shape.of(Dim.symbol("rows"), Dim.fixed(4))));
  private int next;

  private Value number(double value) {
    return g.constant("c" + next++, HostTensor.floats(new float[] {(float) value}));
  }

  private Value binary(BinaryKind kind, Value left, Value right) {
    return g.add("n" + next++, new Op.Binary(kind), left, right);
  }

  private Value times(Value left, Value right) {
    return binary(BinaryKind.MULTIPLY, left, right);
  }

  private Value onePlus(UnaryKind kind, Value argument) {
    Value function = g.add("n" + next++, new Op.Unary(kind), argument);
    return binary(BinaryKind.ADD, function, number(1));
  }

  private void fusedTo(UnaryKind kind, Value y) {
    g.output(y);
    Graph result = RewriteChecks.applied(new FuseGelu(), g.build(), INPUTS);
    assertThat(result.nodes()).extracting(n -> n.op()).containsExactly(new Op.Unary(kind));
  }

  private void leftAlone(Value y) {
    g.output(y);
    RewriteChecks.leftAlone(new FuseGelu(), g.build());
  }

  @Test
  void erfFormHalvedLast() {
    Value erf = onePlus(UnaryKind.ERF, binary(BinaryKind.DIVIDE, x, number(Math.sqrt(2))));
    fusedTo(UnaryKind.GELU_ERF, times(times(x, erf), number(0.5)));
  }

  @Test
  void erfFormHalvedFirst() {
    Value half = times(number(0.5), x);
    fusedTo(
        UnaryKind.GELU_ERF, times(half, onePlus(UnaryKind.ERF, times(x, number(Math.sqrt(0.5))))));
  }

  private Value tanhForm(double cubic) {
    Value cube = binary(BinaryKind.POWER, x, number(3));
    Value inner = binary(BinaryKind.ADD, x, times(cube, number(cubic)));
    Value tanh = onePlus(UnaryKind.TANH, times(inner, number(Math.sqrt(2 / Math.PI))));
    return times(times(x, number(0.5)), tanh);
  }

  @Test
  void tanhForm() {
    fusedTo(UnaryKind.GELU_TANH, tanhForm(0.044715));
  }

  @Test
  void anotherConstantIsNotGelu() {
    leftAlone(tanhForm(0.0448));
  }

  @Test
  void anotherWidthIsNotGelu() {
    Value erf = onePlus(UnaryKind.ERF, times(x, number(0.7)));
    leftAlone(times(times(x, erf), number(0.5)));
  }

  @Test
  void twoVariablesAreNotGelu() {
    Value other = g.add("other", new Op.Unary(UnaryKind.NEGATE), x);
    Value vector = g.constant("vector", RandomTensors.normal(1, 4));
    Value shifted = binary(BinaryKind.ADD, other, vector);
    Value erf = onePlus(UnaryKind.ERF, times(x, number(Math.sqrt(0.5))));
    leftAlone(times(times(shifted, erf), number(0.5)));
  }

  @Test
  void aPartThatIsReadElsewhereStays() {
    Value erf = onePlus(UnaryKind.ERF, times(x, number(Math.sqrt(0.5))));
    g.output(erf);
    leftAlone(times(times(x, erf), number(0.5)));
  }
}
