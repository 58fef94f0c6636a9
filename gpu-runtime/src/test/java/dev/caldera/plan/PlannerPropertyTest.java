package dev.caldera.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.GraphBuilder;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorType;
import dev.caldera.graph.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Plans of random graphs, checked by running them over a model of memory that knows only which
 * value was written last to each byte: whatever a step reads, and whatever is read back, must still
 * stand where it was written.
 */
class PlannerPropertyTest {
  private static final int CASES = 1500;
  private static final Op[] UNARY = {
    new Op.Unary(Op.UnaryKind.RELU),
    new Op.Unary(Op.UnaryKind.TANH),
    new Op.Unary(Op.UnaryKind.EXP),
    new Op.Softmax(1),
  };

  @Test
  void everyStepFindsWhatItReads() {
    for (int seed = 0; seed < CASES; seed++) {
      Random random = new Random(seed);
      Graph graph = randomGraph(random);
      Catalog catalog = randomCatalog(random);
      long limit = random.nextBoolean() ? 1 << 30 : 60_000;
      Map<String, Long> bucket = Map.of("tokens", 1L + random.nextInt(16));
      ExecutionPlan plan = new Planner("test", catalog, limit).plan(graph, "m", bucket);
      run("seed " + seed, plan);
      assertThat(plan.memory().peakBytes())
          .as("seed %d", seed)
          .isLessThanOrEqualTo(plan.memory().unsharedBytes());
      assertThat(new Planner("test", catalog, limit).plan(graph, "m", bucket))
          .as("seed %d", seed)
          .isEqualTo(plan);
    }
  }

  /**
   * Up to 30 nodes over rows of 64 columns and weights; any value may be read again or returned.
   */
  private static Graph randomGraph(Random random) {
    GraphBuilder graph = new GraphBuilder("random");
    TensorType rows = new TensorType(DType.F32, Shape.of(Dim.symbol("tokens"), Dim.fixed(64)));
    List<Value> values = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      values.add(graph.input("in" + i, rows));
    }
    Value weight = graph.constant("weight", HostTensor.floats(new float[64], 1, 64));
    int nodes = 1 + random.nextInt(30);
    for (int i = 0; i < nodes; i++) {
      Value x = values.get(Math.max(0, values.size() - 1 - random.nextInt(6)));
      String name = "n" + i;
      values.add(
          switch (random.nextInt(6)) {
            case 0 -> graph.add(name, new Op.Reshape(rows.shape()), x);
            case 1 -> graph.add(name, new Op.Cast(DType.F32), x);
            case 2 ->
                graph.add(
                    name,
                    new Op.Binary(Op.BinaryKind.ADD),
                    x,
                    values.get(random.nextInt(values.size())));
            case 3 -> graph.add(name, new Op.Binary(Op.BinaryKind.MULTIPLY), x, weight);
            default -> graph.add(name, UNARY[random.nextInt(UNARY.length)], x);
          });
    }
    graph.output(values.get(values.size() - 1));
    Value another = values.get(random.nextInt(values.size()));
    if (!another.equals(values.get(values.size() - 1))) {
      graph.output(another);
    }
    return graph.build();
  }

  private static Catalog randomCatalog(Random random) {
    Map<String, Layout> inputs = new HashMap<>();
    Map<String, Layout> outputs = new HashMap<>();
    List<Layout> choices = List.of(Layout.rowMajor(), new Layout.ColumnBlocks(16));
    Catalog catalog = new Catalog();
    if (random.nextBoolean()) {
      catalog.inputLayouts =
          op -> inputs.computeIfAbsent(op.toString(), o -> choices.get(random.nextInt(2)));
      catalog.outputLayouts =
          op -> outputs.computeIfAbsent(op.toString(), o -> choices.get(random.nextInt(2)));
    }
    catalog.scratchPerToken = random.nextInt(3) * 100L;
    return catalog;
  }

  private static void run(String name, ExecutionPlan plan) {
    Memory memory = new Memory(plan.memory());
    plan.inputs().values().forEach(memory::write);
    for (Step step : plan.steps()) {
      String place = name + ", step " + step.node();
      step.inputs().forEach(operand -> memory.check(place, operand));
      memory.write(step.scratch(), "scratch of " + step.node());
      step.inputs().forEach(operand -> memory.check(place + ", its scratch", operand));
      step.outputs().forEach(operand -> memory.write((Operand.SlotOperand) operand));
      step.inputs().forEach(operand -> memory.check(place + ", its outputs", operand));
    }
    plan.outputs().values().forEach(operand -> memory.check(name + ", output", operand));
  }

  /** Which value was written last, by chunk and range; ranges do not overlap. */
  private static final class Memory {
    private final MemoryPlan plan;
    private final List<TreeMap<Long, Written>> chunks = new ArrayList<>();

    private record Written(long end, String value) {}

    Memory(MemoryPlan plan) {
      this.plan = plan;
      plan.chunkBytes().forEach(bytes -> chunks.add(new TreeMap<>()));
    }

    void write(Operand.SlotOperand operand) {
      Slot slot = operand.slot();
      assertThat(slot.bytes())
          .isEqualTo(
              operand.layout().bytes(operand.type().dtype(), operand.rows(), operand.columns()));
      write(slot, operand.value());
    }

    void write(Slot slot, String value) {
      if (slot.bytes() == 0) {
        return;
      }
      TreeMap<Long, Written> chunk = chunks.get(slot.chunk());
      chunk
          .entrySet()
          .removeIf(old -> old.getKey() < slot.end() && slot.offset() < old.getValue().end());
      chunk.put(slot.offset(), new Written(slot.end(), value));
    }

    void check(String place, Operand operand) {
      if (operand instanceof Operand.SlotOperand slot) {
        String root = plan.placement(slot.value()).root();
        Written written = chunks.get(slot.slot().chunk()).get(slot.slot().offset());
        assertThat(written)
            .as("%s: what stands at %s", place, slot)
            .isEqualTo(new Written(slot.slot().end(), root));
      }
    }
  }
}
