package dev.caldera.backend;

import dev.caldera.graph.Graph;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorData;
import dev.caldera.graph.TensorType;
import dev.caldera.memory.Arena;
import dev.caldera.memory.BufferRange;
import dev.caldera.memory.Completion;
import dev.caldera.memory.DeviceBuffer;
import dev.caldera.memory.Readback;
import dev.caldera.memory.SlotTransfers;
import dev.caldera.memory.StagingPool;
import dev.caldera.memory.Transfer;
import dev.caldera.memory.WeightPool;
import dev.caldera.plan.ExecutionPlan;
import dev.caldera.plan.Operand;
import dev.caldera.plan.Planner;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A graph planned, loaded and run on an open device with memory of its own: for checks and
 * measurements, where an engine would be too much.
 *
 * <pre>{@code
 * try (GraphRun run = GraphRun.open(device, graph, Map.of("tokens", 64L))) {
 *   Map<String, HostTensor> outputs = run.run(inputs, Map.of("tokens", 40L));
 * }
 * }</pre>
 *
 * <p>Not thread-safe.
 */
public final class GraphRun implements AutoCloseable {
  private static final long MEMORY_BUDGET = 1L << 30;

  private final Device device;
  private final ExecutionPlan plan;
  private final StagingPool staging;
  private final WeightPool weights;
  private final WeightPool.Lease lease;
  private final Arena arena;
  private final Device.Program program;
  private long deviceNanos;

  private GraphRun(
      Device device,
      ExecutionPlan plan,
      StagingPool staging,
      WeightPool weights,
      WeightPool.Lease lease,
      Arena arena,
      Device.Program program) {
    this.device = device;
    this.plan = plan;
    this.staging = staging;
    this.weights = weights;
    this.lease = lease;
    this.arena = arena;
    this.program = program;
  }

  /**
   * Plans a graph for a bucket, uploads its weights and compiles it.
   *
   * @param bucket capacity of each symbolic dim
   */
  public static GraphRun open(Device device, Graph graph, Map<String, Long> bucket)
      throws InterruptedException {
    ExecutionPlan plan =
        new Planner(device.info().backend(), device.kernels(), device.allocationLimit())
            .plan(graph, graph.name(), bucket);
    StagingPool staging = new StagingPool(device, MEMORY_BUDGET);
    WeightPool weights = WeightPool.copied(device, staging, MEMORY_BUDGET);
    WeightPool.Lease lease = null;
    Arena arena = null;
    try {
      lease = weights.open(plan);
      arena = Arena.reserve(device, plan.memory());
      return new GraphRun(
          device, plan, staging, weights, lease, arena, device.compile(plan, lease));
    } catch (RuntimeException | InterruptedException e) {
      if (arena != null) {
        arena.close();
      }
      if (lease != null) {
        lease.close();
      }
      weights.close();
      staging.close();
      throw e;
    }
  }

  /** The plan. */
  public ExecutionPlan plan() {
    return plan;
  }

  /** Nanoseconds that the device took for the last run. */
  public long deviceNanos() {
    return deviceNanos;
  }

  /**
   * Runs the graph once.
   *
   * @param inputs each of the graph's inputs, by name
   * @param sizes actual size of each symbolic dim
   * @return the graph's outputs, by name
   */
  public Map<String, HostTensor> run(Map<String, HostTensor> inputs, Map<String, Long> sizes)
      throws InterruptedException {
    fillWithNan();
    try (Device.KernelCommands commands = device.begin();
        Transfer transfer = staging.transfer(commands)) {
      SlotTransfers slots = new SlotTransfers(arena, transfer);
      for (Map.Entry<String, Operand.SlotOperand> input : plan.inputs().entrySet()) {
        HostTensor tensor = inputs.get(input.getKey());
        if (tensor == null) {
          throw new IllegalArgumentException(
              "Cannot run graph " + plan.graph() + ": input " + input.getKey() + " is missing");
        }
        slots.upload(input.getValue(), bytes(tensor.toData()));
      }
      commands.run(program, arena, sizes);
      Map<String, Readback> readbacks = new LinkedHashMap<>();
      for (Map.Entry<String, Operand.SlotOperand> output : plan.outputs().entrySet()) {
        readbacks.put(output.getKey(), slots.readback(output.getValue(), sizes));
      }
      Completion completion = transfer.submit();
      completion.await();
      deviceNanos = completion.deviceNanos();
      Map<String, HostTensor> results = new LinkedHashMap<>();
      plan.outputs()
          .forEach(
              (name, slot) ->
                  results.put(
                      name,
                      tensor(slot.type(), Objects.requireNonNull(readbacks.get(name)), sizes)));
      return results;
    }
  }

  /** So that whatever a kernel reads without anyone having written it shows in the result. */
  private void fillWithNan() throws InterruptedException {
    for (DeviceBuffer chunk : arena.chunks()) {
      try (Device.KernelCommands commands = device.begin();
          Transfer transfer = staging.transfer(commands)) {
        transfer.upload(
            new BufferRange(chunk, 0, chunk.bytes()),
            bytes -> {
              while (bytes.remaining() >= Float.BYTES) {
                bytes.putFloat(Float.NaN);
              }
            });
        transfer.submit().await();
      }
    }
  }

  private static HostTensor tensor(TensorType type, Readback readback, Map<String, Long> sizes) {
    ByteBuffer copy = ByteBuffer.allocate(readback.bytes().remaining());
    copy.order(ByteOrder.LITTLE_ENDIAN).put(readback.bytes()).flip();
    Shape shape = Shape.fixed(type.shape().evaluate(sizes));
    return HostTensor.read(new TensorType(type.dtype(), shape), TensorData.of(copy));
  }

  private static ByteBuffer bytes(TensorData data) {
    ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(data.byteSize()));
    data.read(0, bytes.order(ByteOrder.LITTLE_ENDIAN));
    return bytes.flip();
  }

  @Override
  public void close() {
    program.close();
    arena.close();
    lease.close();
    weights.close();
    staging.close();
  }
}
