package dev.caldera.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.GraphBuilder;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorData;
import dev.caldera.graph.TensorType;
import dev.caldera.graph.Value;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlannerTest {
  private static final Map<String, Long> BUCKET = Map.of("tokens", 100L);
  private static final Op RELU = new Op.Unary(Op.UnaryKind.RELU);
  private static final Op TANH = new Op.Unary(Op.UnaryKind.TANH);
  private static final Op ADD = new Op.Binary(Op.BinaryKind.ADD);

  @Test
  void stepsReadAndWritePlannedSlots() {
    GraphBuilder graph = new GraphBuilder("chain");
    Value x = graph.input("x", rows(64));
    Value bias = graph.constant("bias", HostTensor.floats(new float[64], 64));
    Value a = graph.add("a", RELU, x);
    Value b = graph.add("b", ADD, a, bias);
    graph.output(graph.add("c", TANH, b));
    ExecutionPlan plan = planner(new Catalog()).plan(graph.build(), "model@1", BUCKET);

    assertThat(plan.steps()).extracting(Step::node).containsExactly("a", "b", "c");
    assertThat(plan.steps()).extracting(Step::index).containsExactly(0, 1, 2);
    Operand.SlotOperand input = plan.input("x");
    assertThat(plan.steps().get(0).inputs()).containsExactly(input);
    assertThat(input.rows()).isEqualTo(100);
    assertThat(input.columns()).isEqualTo(64);
    assertThat(input.slot().bytes()).isEqualTo(100 * 64 * 4);
    assertThat(plan.steps().get(1).inputs().get(1))
        .isEqualTo(
            new Operand.WeightOperand(
                new WeightKey("model@1", "bias", Layout.rowMajor()),
                bias.type(),
                Layout.rowMajor()));
    assertThat(plan.weights()).hasSize(1);
    assertThat(plan.output("c")).isEqualTo(plan.steps().get(2).outputs().get(0));
    assertThat(plan.memory().peakBytes()).isEqualTo(2 * (100 * 64 * 4 + 256));
  }

  @Test
  void viewsAreOffsetsWithoutASlotOrStepOfTheirOwn() {
    GraphBuilder graph = new GraphBuilder("views");
    Value x = graph.input("x", new TensorType(DType.F32, Shape.fixed(8, 64)));
    Value a = graph.add("a", RELU, x);
    Value half = graph.add("half", new Op.Slice(0, Dim.fixed(4), Dim.fixed(8)), a);
    Value same = graph.add("same", new Op.Cast(DType.F32), half);
    Value flat = graph.add("flat", new Op.Reshape(Shape.fixed(2, 128)), same);
    Value b = graph.add("b", RELU, x);
    graph.output(flat);
    graph.output(b);
    ExecutionPlan plan = planner(new Catalog()).plan(graph.build(), "m", Map.of());

    assertThat(plan.steps()).extracting(Step::node).containsExactly("a", "b");
    Slot root = plan.memory().slot("a");
    assertThat(plan.output("flat").slot())
        .isEqualTo(new Slot(root.chunk(), root.offset() + 4 * 64 * 4, 4 * 64 * 4));
    assertThat(plan.output("flat").rows()).isEqualTo(2);
    assertThat(plan.memory().slot("b").overlaps(root)).isFalse();
  }

  @Test
  void aSliceWhoseOffsetIsNotFixedOrNotAlignedIsAStep() {
    GraphBuilder graph = new GraphBuilder("slices");
    Value x = graph.input("x", new TensorType(DType.F32, Shape.fixed(8, 3)));
    Value y =
        graph.input("y", new TensorType(DType.F32, Shape.of(Dim.fixed(8), Dim.symbol("tokens"))));
    graph.output(graph.add("odd", new Op.Slice(0, Dim.fixed(1), Dim.fixed(8)), x));
    graph.output(graph.add("wide", new Op.Slice(0, Dim.fixed(4), Dim.fixed(8)), y));
    graph.output(graph.add("column", new Op.Slice(1, Dim.fixed(0), Dim.fixed(2)), x));
    graph.output(graph.add("first", new Op.Slice(0, Dim.fixed(0), Dim.fixed(2)), y));
    ExecutionPlan plan = planner(new Catalog()).plan(graph.build(), "m", BUCKET);
    assertThat(plan.steps()).extracting(Step::node).containsExactly("odd", "wide", "column");
    assertThat(plan.output("first").slot().offset()).isEqualTo(plan.input("y").slot().offset());
  }

  @Test
  void aViewOfAConstantIsAConstant() {
    float[] table = new float[4 * 64];
    table[2 * 64] = 7;
    GraphBuilder graph = new GraphBuilder("constants");
    Value x = graph.input("x", rows(64));
    Value weight = graph.constant("table", HostTensor.floats(table, 4, 64));
    Value second = graph.add("row", new Op.Slice(0, Dim.fixed(2), Dim.fixed(3)), weight);
    graph.output(graph.add("sum", ADD, x, second));
    ExecutionPlan plan = planner(new Catalog()).plan(graph.build(), "m", BUCKET);
    assertThat(plan.steps()).hasSize(1);
    Operand.WeightOperand operand = (Operand.WeightOperand) plan.steps().get(0).inputs().get(1);
    assertThat(operand.key().tensor()).isEqualTo("row");
    ByteBuffer data = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
    TensorData row = Objects.requireNonNull(plan.weights().get(operand));
    row.read(0, data);
    assertThat(row.byteSize()).isEqualTo(256);
    assertThat(data.getFloat(0)).isEqualTo(7);
    assertThatThrownBy(() -> row.read(4, ByteBuffer.allocate(256)))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void layoutsAreConvertedBetweenProducerAndConsumers() {
    GraphBuilder graph = new GraphBuilder("layouts");
    Value x = graph.input("x", rows(64));
    Value a = graph.add("a", RELU, x);
    Value b = graph.add("b", TANH, a);
    Value c = graph.add("c", TANH, a);
    Value d = graph.add("d", RELU, b);
    graph.output(d);
    graph.output(c);
    Layout blocks = new Layout.ColumnBlocks(16);
    Catalog catalog = new Catalog();
    catalog.inputLayouts = op -> op.equals(RELU) ? blocks : Layout.rowMajor();
    catalog.outputLayouts = catalog.inputLayouts;
    ExecutionPlan plan = planner(catalog).plan(graph.build(), "m", BUCKET);

    assertThat(plan.steps())
        .extracting(Step::node)
        .containsExactly(
            "x as blocks of 16",
            "a",
            "a as row-major",
            "b",
            "c",
            "b as blocks of 16",
            "d",
            "d as row-major");
    Step convert = plan.steps().get(2);
    assertThat(convert.op()).isEqualTo(new Op.ConvertLayout());
    assertThat(convert.kernel()).isEqualTo("convert F32");
    assertThat(convert.inputs().get(0).layout()).isEqualTo(blocks);
    assertThat(convert.outputs().get(0).layout()).isEqualTo(Layout.rowMajor());
    assertThat(plan.steps().get(3).inputs()).isEqualTo(convert.outputs());
    assertThat(plan.steps().get(4).inputs()).isEqualTo(convert.outputs());
    assertThat(plan.output("d").layout()).isEqualTo(Layout.rowMajor());
    assertThat(plan.output("d").value()).isEqualTo("d as row-major");
  }

  @Test
  void weightsArePrepackedInTheLayoutThatEachKernelWants() {
    GraphBuilder graph = new GraphBuilder("weights");
    Value weight = graph.constant("w", HostTensor.floats(new float[400], 20, 20));
    Value a = graph.add("a", RELU, weight);
    Value b = graph.add("b", TANH, weight);
    graph.output(graph.add("c", ADD, a, b));
    Layout panels = new Layout.Panels(16);
    Catalog catalog = new Catalog();
    catalog.inputLayouts = op -> op.equals(RELU) ? panels : Layout.rowMajor();
    ExecutionPlan plan = planner(catalog).plan(graph.build(), "m", BUCKET);
    assertThat(plan.weights().keySet())
        .extracting(Operand.WeightOperand::key)
        .containsExactly(
            new WeightKey("m", "w", panels), new WeightKey("m", "w", Layout.rowMajor()));
    assertThat(plan.steps()).as("constants are never converted on the device").hasSize(3);
  }

  @Test
  void theScratchZoneIsTheLargestThatAStepWants() {
    GraphBuilder graph = new GraphBuilder("scratch");
    Value x = graph.input("x", rows(64));
    graph.output(graph.add("b", TANH, graph.add("a", RELU, x)));
    Catalog catalog = new Catalog();
    catalog.scratchPerToken = 10;
    ExecutionPlan plan = planner(catalog).plan(graph.build(), "m", BUCKET);
    assertThat(plan.memory().scratch().bytes()).isEqualTo(1000);
    assertThat(plan.steps()).extracting(Step::scratch).containsOnly(plan.memory().scratch());
  }

  @Test
  void aNodeWithoutKernelIsNamedWithOpAndBackend() {
    GraphBuilder graph = new GraphBuilder("missing");
    graph.output(graph.add("act", RELU, graph.input("x", rows(4))));
    KernelCatalog none = (any, node) -> Optional.empty();
    assertThatThrownBy(() -> planner(none).plan(graph.build(), "m", BUCKET))
        .hasMessage(
            "Cannot plan node act of graph missing: the test backend has no kernel for op Unary of"
                + " [x: f32[tokens, 4]]");
  }

  @Test
  void aLayoutThatCannotBeConvertedIsNamed() {
    GraphBuilder graph = new GraphBuilder("stuck");
    graph.output(graph.add("act", RELU, graph.input("x", rows(4))));
    KernelCatalog stubborn =
        (any, node) ->
            Optional.of(
                new KernelChoice(
                    "k",
                    List.of(new Layout.ColumnBlocks(8)),
                    List.of(Layout.rowMajor()),
                    bucket -> 0L));
    assertThatThrownBy(() -> planner(stubborn).plan(graph.build(), "m", BUCKET))
        .hasMessage(
            "Cannot plan node act of graph stuck: it reads x in blocks of 8, which stands in"
                + " row-major, and the test backend has no kernel to convert");
  }

  @Test
  void theBucketIsCheckedAgainstTheGraphsLimits() {
    GraphBuilder graph = new GraphBuilder("limited");
    graph.output(graph.add("act", RELU, graph.input("x", rows(4))));
    graph.limit("tokens", 512);
    Graph built = graph.build();
    Planner planner = planner(new Catalog());
    assertThatThrownBy(() -> planner.plan(built, "m", Map.of("tokens", 513L)))
        .hasMessage("Cannot plan graph limited for tokens = 513: it must be from 1 to 512");
    assertThatThrownBy(() -> planner.plan(built, "m", Map.of("tokens", 0L)))
        .hasMessageContaining("tokens = 0");
    assertThatThrownBy(() -> planner.plan(built, "m", Map.of()))
        .hasMessageContaining("Cannot evaluate dim tokens");
    assertThat(planner.plan(built, "m", Map.of("tokens", 512L)).steps()).hasSize(1);
  }

  @Test
  void aTensorOverTheAllocationLimitIsNamed() {
    GraphBuilder graph = new GraphBuilder("large");
    graph.output(graph.add("act", RELU, graph.input("x", rows(64))));
    Planner small = new Planner("test", new Catalog(), 16384);
    assertThatThrownBy(() -> small.plan(graph.build(), "m", BUCKET))
        .hasMessageContaining("its 25600 bytes (25856 with slack) are over the 16384 bytes");
  }

  @Test
  void aConstantOutputIsAnError() {
    Value constant = new Value("one", new TensorType(DType.F32, Shape.fixed(1)));
    Graph graph =
        new Graph(
            "constant",
            List.of(),
            Map.of(constant, HostTensor.floats(new float[1], 1).toData()),
            List.of(),
            List.of(constant),
            Map.of());
    assertThatThrownBy(() -> planner(new Catalog()).plan(graph, "m", Map.of()))
        .hasMessage("Cannot plan output one of graph constant: it is a constant, not computed");
  }

  @Test
  void anInputThatIsAnOutputTakesNoStep() {
    Value x = new Value("x", rows(4));
    Graph graph = new Graph("echo", List.of(x), Map.of(), List.of(), List.of(x), Map.of());
    ExecutionPlan plan = planner(new Catalog()).plan(graph, "m", BUCKET);
    assertThat(plan.steps()).isEmpty();
    assertThat(plan.outputs()).isEqualTo(plan.inputs());
    assertThatThrownBy(() -> plan.output("y"))
        .hasMessage("Cannot find output y of graph echo: it has [x]");
    assertThatThrownBy(() -> plan.input("y"))
        .hasMessage("Cannot find input y of graph echo: it has [x]");
  }

  @Test
  void describeTellsKernelsPlacesTypesAndLayouts() {
    GraphBuilder graph = new GraphBuilder("told");
    Value x = graph.input("x", rows(64));
    Value bias = graph.constant("bias", HostTensor.floats(new float[64], 64));
    graph.output(graph.add("sum", ADD, x, bias));
    Catalog catalog = new Catalog();
    catalog.scratchPerToken = 1;
    assertThat(planner(catalog).plan(graph.build(), "m", BUCKET).describe().lines())
        .containsExactly(
            "plan told for {tokens=100}: 1 steps, 1 weights",
            "arena 51.0 KiB in 1 chunk, 0.0% saved of 51.0 KiB unshared; 2 slots, 0 views, scratch"
                + " 100 B",
            "input x: f32[tokens, 64], row-major, chunk 0 at 25856, 25600 bytes",
            "step 0 sum: Binary[kind=ADD] by plain Binary",
            "  reads  x: f32[tokens, 64], row-major, chunk 0 at 25856, 25600 bytes",
            "  reads  bias: f32[64], row-major, weight",
            "  writes sum: f32[tokens, 64], row-major, chunk 0 at 0, 25600 bytes",
            "  scratch chunk 0 at 51712, 100 bytes",
            "output sum: f32[tokens, 64], row-major, chunk 0 at 0, 25600 bytes");
  }

  private static Planner planner(KernelCatalog catalog) {
    return new Planner("test", catalog, 1 << 30);
  }

  private static TensorType rows(long columns) {
    return new TensorType(DType.F32, Shape.of(Dim.symbol("tokens"), Dim.fixed(columns)));
  }
}
