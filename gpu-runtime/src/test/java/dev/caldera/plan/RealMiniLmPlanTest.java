package dev.caldera.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceOptions;
import dev.caldera.backend.cpu.CpuBackend;
import dev.caldera.graph.Graph;
import dev.caldera.graph.Op;
import dev.caldera.memory.DeviceBuffer;
import dev.caldera.memory.StagingPool;
import dev.caldera.memory.WeightPool;
import dev.caldera.model.bert.BertEncoder;
import dev.caldera.model.onnx.OnnxLoader;
import dev.caldera.testing.MiniLm;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Plans of the real all-MiniLM-L6-v2, on the CPU backend's kernels. */
class RealMiniLmPlanTest {
  private static final Path ONNX = MiniLm.folder().resolve("model.onnx");

  private static Device cpu;

  @BeforeAll
  static void open() {
    CpuBackend backend = new CpuBackend();
    cpu = backend.open(backend.devices().get(0), DeviceOptions.defaults());
  }

  @AfterAll
  static void close() {
    cpu.close();
  }

  @Test
  void packedAt4096TokensItSavesMostOfTheUnsharedSum() throws Exception {
    Graph graph = BertEncoder.load(ONNX, new Op.Pool(Op.Pooling.MEAN, true)).graph();
    ExecutionPlan plan = plan(graph, Map.of("tokens", 4096L, "sequences", 256L));
    assertThat(plan.memory().saving()).as(plan.memory().report()).isGreaterThanOrEqualTo(0.6);
    assertThat(plan.steps().size()).as(plan.describe()).isBetween(44, 48);
    checkWeightsShareOneBuffer(plan);
  }

  @Test
  void theExportAsItIsCanBePlannedToo() {
    Graph graph = OnnxLoader.load(ONNX);
    ExecutionPlan plan = plan(graph, bucket(graph));
    assertThat(plan.memory().saving()).as(plan.memory().report()).isGreaterThanOrEqualTo(0.6);
    assertThat(plan.steps().size()).isLessThan(graph.nodes().size());
  }

  /** 8 sequences of 32 tokens, whatever the export calls its dims. */
  private static Map<String, Long> bucket(Graph graph) {
    var shape = graph.inputs().get(0).type().shape();
    return Map.of(shape.dim(0).toString(), 8L, shape.dim(1).toString(), 32L);
  }

  private static ExecutionPlan plan(Graph graph, Map<String, Long> bucket) {
    return new Planner("cpu", cpu.kernels(), cpu.allocationLimit()).plan(graph, "m", bucket);
  }

  private static void checkWeightsShareOneBuffer(ExecutionPlan plan) throws InterruptedException {
    try (StagingPool staging = new StagingPool(cpu, 32 << 20);
        WeightPool pool = WeightPool.copied(cpu, staging, 1 << 30);
        WeightPool.Lease lease = pool.open(plan)) {
      Set<DeviceBuffer> buffers = new HashSet<>();
      plan.weights().keySet().forEach(weight -> buffers.add(lease.range(weight.key()).buffer()));
      assertThat(buffers).hasSize(1);
      assertThat(pool.bytes("m")).isBetween(86L << 20, 90L << 20);
      assertThat(staging.bytes()).isLessThanOrEqualTo(32 << 20);
    }
    assertThat(cpu.counters().liveBuffers()).isZero();
  }
}
