package dev.caldera.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class GraphBuilderTest {

  private final GraphBuilder graph = new GraphBuilder("g");

  private static TensorType f32(Dim... dims) {
    return new TensorType(DType.F32, Shape.of(dims));
  }

  @Test
  void infersSymbolicTypes() {
    Dim batch = Dim.symbol("batch");
    Dim sequence = Dim.symbol("sequence");
    Value x = graph.input("x", f32(batch, sequence, Dim.fixed(8)));
    Shape heads = Shape.of(batch, sequence, Dim.fixed(2), Dim.fixed(4));
    Value split = graph.add("split", new Op.Reshape(heads), x);
    Value q = graph.add("q", new Op.Transpose(List.of(0, 2, 1, 3)), split);
    Value k = graph.add("k", new Op.Transpose(List.of(0, 2, 3, 1)), split);
    Value scores = graph.add("scores", new Op.MatMul(), q, k);
    assertThat(scores.type()).isEqualTo(f32(batch, Dim.fixed(2), sequence, sequence));
  }

  @Test
  void poolHasOneRowASequence() {
    Dim starts = Dim.sum(Dim.symbol("sequences"), Dim.fixed(1));
    Value x = graph.input("x", f32(Dim.symbol("tokens"), Dim.fixed(8)));
    Value s = graph.input("starts", new TensorType(DType.I32, Shape.of(starts)));
    assertThat(graph.add("pool", new Op.Pool(Op.Pooling.MEAN, true), x, s).type())
        .isEqualTo(f32(Dim.symbol("sequences"), Dim.fixed(8)));
  }

  @Test
  void aSliceUpToASymbolLimitsIt() {
    Value table = graph.constant("table", HostTensor.floats(new float[6], 1, 6));
    Value part = graph.add("part", new Op.Slice(1, Dim.fixed(0), Dim.symbol("sequence")), table);
    graph.output(part);
    assertThat(part.type()).isEqualTo(f32(Dim.fixed(1), Dim.symbol("sequence")));
    assertThat(graph.build().limits()).containsEntry("sequence", 6L);
  }

  @Test
  void shapeErrorsNameNodeOpAndShapes() {
    Value x = graph.input("x", f32(Dim.symbol("rows"), Dim.fixed(3)));
    Value w = graph.constant("w", HostTensor.floats(new float[8], 4, 2));
    assertThatThrownBy(() -> graph.add("up", new Op.MatMul(), x, w))
        .hasMessage(
            "Cannot add node up, MatMul[] of (f32[rows, 3], f32[4, 2]): inner dims 3 and 4 differ");
    assertThatThrownBy(() -> graph.add("sum", new Op.Binary(Op.BinaryKind.ADD), x, w))
        .hasMessage(
            "Cannot add node sum, Binary[kind=ADD] of (f32[rows, 3], f32[4, 2]): "
                + "shapes [rows, 3] and [4, 2] do not broadcast: dims rows and 4");
    assertThatThrownBy(() -> graph.add("t", new Op.Transpose(List.of(0, 0)), x))
        .hasMessageEndingWith("[0, 0] is not a permutation of the axes of [rows, 3]");
    assertThatThrownBy(() -> graph.add("r", new Op.Reshape(Shape.fixed(3)), x))
        .hasMessageEndingWith("the element counts rows*3 and 3 differ");
    assertThatThrownBy(() -> graph.add("s", new Op.Softmax(2), x))
        .hasMessageEndingWith("axis 2 is not an axis of rank 2");
    assertThatThrownBy(() -> graph.add("c", new Op.Slice(1, Dim.fixed(1), Dim.fixed(4)), x))
        .hasMessageEndingWith("elements 1 to 4 do not lie in axis 1");
    assertThatThrownBy(() -> graph.add("n", new Op.Unary(Op.UnaryKind.NOT), x))
        .hasMessageEndingWith("its operand must be of type [BOOL], not F32");
    assertThatThrownBy(() -> graph.add("l", new Op.Linear(Activation.NONE), x, w, w))
        .hasMessageEndingWith("inner dims 3 and 4 differ");
    assertThatThrownBy(() -> graph.add("w", new Op.Where(), x, x))
        .hasMessageEndingWith("it takes 3 operands, not 2");
  }

  @Test
  void namesAreTakenOnce() {
    graph.input("x", f32(Dim.fixed(1)));
    assertThatThrownBy(() -> graph.input("x", f32(Dim.fixed(1))))
        .hasMessage("Cannot add value x to graph g: the name is taken");
  }

  @Test
  void aConstantMustHaveItsBytes() {
    assertThatThrownBy(() -> graph.constant("w", f32(Dim.fixed(3)), TensorData.of(1f, 2f)))
        .hasMessage("Cannot add constant w to graph g: 8 bytes are given for f32[3]");
  }

  @Test
  void describesItself() {
    Value x = graph.input("x", f32(Dim.symbol("rows"), Dim.fixed(2)));
    Value weight = graph.constant("weight", HostTensor.floats(new float[6], 2, 3));
    Value bias = graph.constant("bias", HostTensor.floats(new float[3], 3));
    graph.limit("rows", 9);
    graph.output(graph.add("up", new Op.Linear(Activation.RELU), x, weight, bias));
    assertThat(graph.build().describe())
        .isEqualTo(
            """
            graph g: 1 node, 2 constants of 36 bytes
              input x: f32[rows, 2]
              limit rows <= 9
              up: f32[rows, 3] = Linear[activation=RELU](x, weight: f32[2, 3], bias: f32[3])
              output up: f32[rows, 3]
            """);
  }
}
