package dev.caldera.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.backend.Device.Program;
import dev.caldera.backend.GraphRun;
import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.GraphBuilder;
import dev.caldera.graph.HostEvaluator;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.RandomTensors;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorType;
import dev.caldera.graph.Value;
import dev.caldera.memory.Arena;
import dev.caldera.memory.StagingPool;
import dev.caldera.memory.WeightPool;
import dev.caldera.plan.ExecutionPlan;
import dev.caldera.plan.MemoryPlan;
import dev.caldera.plan.Planner;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VulkanProgramTest {
  private static final long BUDGET = 1 << 26;

  private @Nullable VulkanDevice opened;
  private VulkanDevice device;

  @BeforeEach
  void open() {
    device = VulkanDevices.open();
    opened = device;
  }

  @AfterEach
  void close() {
    if (opened != null) {
      VulkanDevices.closeSilently(opened);
    }
  }

  /** -sqrt(x) + x over [tokens, 16]: three steps, each but the first after a barrier. */
  private static Graph chain() {
    GraphBuilder builder = new GraphBuilder("chain");
    Value x =
        builder.input(
            "x", new TensorType(DType.F32, Shape.of(Dim.symbol("tokens"), Dim.fixed(16))));
    Value root = builder.add("root", new Op.Unary(Op.UnaryKind.SQRT), x);
    Value negative = builder.add("negative", new Op.Unary(Op.UnaryKind.NEGATE), root);
    builder.output(builder.add("sum", new Op.Binary(Op.BinaryKind.ADD), negative, x));
    return builder.build();
  }

  private ExecutionPlan plan(long tokens) {
    return new Planner("vulkan", device.kernels(), device.allocationLimit())
        .plan(chain(), "test", Map.of("tokens", tokens));
  }

  @Test
  void runsAtEverySizeUpToTheBucket() throws InterruptedException {
    try (GraphRun run = GraphRun.open(device, chain(), Map.of("tokens", 50L))) {
      for (int tokens : new int[] {1, 7, 50}) {
        float[] squares = RandomTensors.normal(tokens, tokens, 16).toFloats();
        for (int i = 0; i < squares.length; i++) {
          squares[i] *= squares[i];
        }
        Map<String, HostTensor> inputs = Map.of("x", HostTensor.floats(squares, tokens, 16));
        HostTensor actual =
            run.run(inputs, Map.of("tokens", (long) tokens)).values().iterator().next();
        assertThat(actual.nmse(HostEvaluator.evaluateSingle(chain(), inputs))).isLessThan(1e-12);
      }
    }
  }

  @Test
  void barriersStandOnlyBetweenStepsThatConflict() throws InterruptedException {
    withProgram(
        plan(8),
        (program, arena) -> {
          try (VulkanCommands commands = device.begin()) {
            commands.run(program, arena, Map.of("tokens", 8L));
            assertThat(commands.barriers()).isEqualTo(2);
          }
        });
  }

  @Test
  void aSteadyRunAllocatesNothing() throws InterruptedException {
    withProgram(
        plan(64),
        (program, arena) -> {
          submit(program, arena, 64);
          long allocations = device.counters().allocations();
          int recordings = device.recordings().made();
          int pipelines = device.pipelines().made();
          for (int i = 1; i <= 50; i++) {
            submit(program, arena, i);
          }
          assertThat(device.counters().allocations()).isEqualTo(allocations);
          assertThat(device.recordings().made()).isEqualTo(recordings);
          assertThat(device.pipelines().made()).isEqualTo(pipelines);
        });
  }

  private void submit(Program program, Arena arena, long tokens) throws InterruptedException {
    try (VulkanCommands commands = device.begin()) {
      commands.run(program, arena, Map.of("tokens", tokens));
      commands.submit().await();
    }
  }

  @Test
  void sizesOverTheBucketAreRefused() throws InterruptedException {
    withProgram(
        plan(8),
        (program, arena) -> {
          try (VulkanCommands commands = device.begin()) {
            assertThatThrownBy(() -> commands.run(program, arena, Map.of("tokens", 9L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot run plan chain: tokens is 9, the plan's bucket takes 0 to 8");
            assertThatThrownBy(() -> commands.run(program, arena, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                    "Cannot run plan chain: tokens is null, the plan's bucket takes 0 to 8");
          }
        });
  }

  @Test
  void anArenaTooSmallForThePlanIsRefused() throws InterruptedException {
    try (Arena small = Arena.reserve(device, plan(2).memory())) {
      withProgram(
          plan(4096),
          (program, arena) -> {
            try (VulkanCommands commands = device.begin()) {
              assertThatThrownBy(() -> commands.run(program, small, Map.of("tokens", 1L)))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageMatching(
                      "Cannot run plan chain: it needs chunks of \\[\\d+] bytes, the arena has"
                          + " \\[\\d+]");
            }
          });
    }
  }

  @Test
  void aProgramOfAnotherDeviceIsRefused() throws InterruptedException {
    VulkanDevice other = VulkanDevices.open();
    try {
      withProgram(
          plan(8),
          (program, arena) -> {
            try (VulkanCommands commands = other.begin()) {
              assertThatThrownBy(() -> commands.run(program, arena, Map.of("tokens", 8L)))
                  .isInstanceOf(IllegalArgumentException.class)
                  .hasMessageEndingWith("it was compiled for another device");
            }
          });
    } finally {
      VulkanDevices.closeSilently(other);
    }
  }

  @Test
  void aSlotOutsideItsChunkIsRefused() throws InterruptedException {
    ExecutionPlan good = plan(8);
    MemoryPlan memory = good.memory();
    MemoryPlan cut =
        new MemoryPlan(
            memory.placements(),
            List.of(256L),
            memory.scratch(),
            memory.unsharedBytes(),
            memory.alignment(),
            memory.slack());
    ExecutionPlan bad =
        new ExecutionPlan(
            good.graph(),
            good.bucket(),
            good.steps(),
            good.inputs(),
            good.outputs(),
            good.weights(),
            cut);
    try (StagingPool staging = new StagingPool(device, BUDGET);
        WeightPool pool = WeightPool.copied(device, staging, BUDGET);
        WeightPool.Lease lease = pool.open(bad)) {
      assertThatThrownBy(() -> device.compile(bad, lease))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageMatching(
              "Cannot bind step \\w+ of plan chain: Slot.* does not lie in the plan's chunks"
                  + " \\[256]");
    }
  }

  private interface Use {
    void with(Program program, Arena arena) throws InterruptedException;
  }

  private void withProgram(ExecutionPlan plan, Use use) throws InterruptedException {
    try (StagingPool staging = new StagingPool(device, BUDGET);
        WeightPool pool = WeightPool.copied(device, staging, BUDGET);
        WeightPool.Lease lease = pool.open(plan);
        Arena arena = Arena.reserve(device, plan.memory());
        Program program = device.compile(plan, lease)) {
      use.with(program, arena);
    }
  }
}
