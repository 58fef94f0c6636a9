package dev.caldera.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceOptions;
import dev.caldera.backend.cpu.CpuBackend;
import dev.caldera.graph.Activation;
import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.GraphBuilder;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorType;
import dev.caldera.graph.Value;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A packed graph of the shape of all-MiniLM-L6-v2: 6 layers, 384 columns, 12 heads. */
class MiniLmPlanTest {
  private static final int HIDDEN = 384;
  private static final Map<String, Long> BUCKET = Map.of("tokens", 4096L, "sequences", 256L);

  @Test
  void sharingSavesMostOfTheUnsharedSum() {
    ExecutionPlan plan =
        new Planner("test", new Catalog(), 1L << 31).plan(miniLm(), "minilm", BUCKET);
    assertThat(plan.steps()).hasSize(1 + 6 * 7 + 1);
    assertThat(plan.memory().saving()).isGreaterThanOrEqualTo(0.6);
    long widest = 4096L * (4 * HIDDEN + 2 * HIDDEN) * 4;
    assertThat(plan.memory().peakBytes()).isBetween(widest, widest + (1 << 20));
    assertThat(plan.memory().summary())
        .startsWith("arena 36.0 MiB in 1 chunk, 91.8% saved of 438.4 MiB unshared");
  }

  @Test
  void smallChunksCostLittle() {
    ExecutionPlan plan =
        new Planner("test", new Catalog(), 26L << 20).plan(miniLm(), "minilm", BUCKET);
    assertThat(plan.memory().chunkBytes().size()).isGreaterThan(1);
    assertThat(plan.memory().saving()).isGreaterThanOrEqualTo(0.6);
  }

  @Test
  void theCpuBackendsPlanSavesAsMuch() {
    CpuBackend backend = new CpuBackend();
    try (Device cpu = backend.open(backend.devices().get(0), DeviceOptions.defaults())) {
      ExecutionPlan plan =
          new Planner("cpu", cpu.kernels(), cpu.allocationLimit()).plan(miniLm(), "minilm", BUCKET);
      assertThat(plan.memory().saving()).isGreaterThanOrEqualTo(0.6);
      assertThat(plan.steps()).extracting(Step::node).contains("layer5.norm2", "pooled");
      assertThat(plan.steps().size()).as(plan.describe()).isLessThanOrEqualTo(1 + 6 * 7 + 1 + 2);
    }
  }

  private static Graph miniLm() {
    GraphBuilder graph = new GraphBuilder("minilm");
    Dim tokens = Dim.symbol("tokens");
    TensorType perToken = new TensorType(DType.I32, Shape.of(tokens));
    Value ids = graph.input("tokenIds", perToken);
    Value positions = graph.input("positions", perToken);
    Value types = graph.input("typeIds", perToken);
    Dim ends = Dim.sum(Dim.symbol("sequences"), Dim.fixed(1));
    Value starts = graph.input("starts", new TensorType(DType.I32, Shape.of(ends)));
    Value x =
        graph.add(
            "embeddings",
            new Op.EmbeddingNorm(1e-12f),
            ids,
            positions,
            types,
            weight(graph, "words", 100, HIDDEN),
            weight(graph, "positionTable", 512, HIDDEN),
            weight(graph, "typeTable", 2, HIDDEN),
            weight(graph, "gamma", HIDDEN),
            weight(graph, "beta", HIDDEN));
    for (int layer = 0; layer < 6; layer++) {
      String name = "layer" + layer + ".";
      Value qkv = linear(graph, name + "qkv", x, 3 * HIDDEN, Activation.NONE);
      Value attention =
          graph.add(name + "attention", new Op.PackedAttention(12, 32, 0.17f), qkv, starts);
      Value out = linear(graph, name + "out", attention, HIDDEN, Activation.NONE);
      x = addNorm(graph, name + "norm1", out, x);
      Value up = linear(graph, name + "up", x, 4 * HIDDEN, Activation.GELU_ERF);
      x =
          addNorm(
              graph, name + "norm2", linear(graph, name + "down", up, HIDDEN, Activation.NONE), x);
    }
    graph.output(graph.add("pooled", new Op.Pool(Op.Pooling.MEAN, true), x, starts));
    return graph.build();
  }

  private static Value linear(
      GraphBuilder graph, String name, Value x, int columns, Activation activation) {
    int inner = (int) ((Dim.Fixed) x.type().shape().dim(-1)).size();
    return graph.add(
        name,
        new Op.Linear(activation),
        x,
        weight(graph, name + ".weight", inner, columns),
        weight(graph, name + ".bias", columns));
  }

  private static Value addNorm(GraphBuilder graph, String name, Value x, Value residual) {
    return graph.add(
        name,
        new Op.AddLayerNorm(1e-12f),
        x,
        residual,
        weight(graph, name + ".gamma", HIDDEN),
        weight(graph, name + ".beta", HIDDEN));
  }

  private static Value weight(GraphBuilder graph, String name, int... shape) {
    long[] sizes = new long[shape.length];
    int elements = 1;
    for (int i = 0; i < shape.length; i++) {
      sizes[i] = shape[i];
      elements *= shape[i];
    }
    return graph.constant(name, HostTensor.floats(new float[elements], sizes));
  }
}
