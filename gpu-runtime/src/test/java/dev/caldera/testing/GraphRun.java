package dev.caldera.testing;

import dev.caldera.backend.Device;
import dev.caldera.graph.Graph;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorData;
import dev.caldera.graph.TensorType;
import dev.caldera.memory.Arena;
import dev.caldera.memory.BufferRange;
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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A graph planned, loaded and run on an open device, through the memory that an engine uses. Before
 * each run the arena is filled with NaN, so that whatever a kernel reads without having written it
 * shows.
 */
public final class GraphRun implements AutoCloseable {
  private static final long STAGING_BYTES = 1L << 30;

  private final Deque<AutoCloseable> owned = new ArrayDeque<>();
  private final Device device;
  private final ExecutionPlan plan;
  private final StagingPool staging;
  private final WeightPool weights;
  private final Arena arena;
  private final Device.Program program;
  private long deviceNanos;

  /** Plans {@code graph} for a bucket and loads it. */
  public GraphRun(Device device, Graph graph, Map<String, Long> bucket)
      throws InterruptedException {
    this.device = device;
    this.plan =
        new Planner(device.info().backend(), device.kernels(), device.allocationLimit())
            .plan(graph, "test", bucket);
    this.staging = own(new StagingPool(device, STAGING_BYTES));
    this.weights = own(WeightPool.copied(device, staging, STAGING_BYTES));
    try {
      WeightPool.Lease lease = own(weights.open(plan));
      this.arena = own(Arena.reserve(device, plan.memory()));
      this.program = own(device.compile(plan, lease));
    } catch (RuntimeException | InterruptedException e) {
      close();
      throw e;
    }
  }

  /** The plan. */
  public ExecutionPlan plan() {
    return plan;
  }

  /** Nanoseconds the device took for the last run. */
  public long deviceNanos() {
    return deviceNanos;
  }

  /** The outputs, by value name, for inputs by name and the actual size of each symbolic dim. */
  public Map<String, HostTensor> run(Map<String, HostTensor> inputs, Map<String, Long> sizes)
      throws InterruptedException {
    poison();
    Map<Operand.SlotOperand, Readback> readbacks = new LinkedHashMap<>();
    try (Device.KernelCommands commands = device.begin();
        Transfer transfer = staging.transfer(commands)) {
      SlotTransfers slots = new SlotTransfers(arena, transfer);
      for (Map.Entry<String, Operand.SlotOperand> input : plan.inputs().entrySet()) {
        slots.upload(input.getValue(), bytes(input(inputs, input.getKey()).toData()));
      }
      commands.run(program, arena, sizes);
      for (Operand.SlotOperand output : plan.outputs().values()) {
        readbacks.put(output, slots.readback(output, sizes));
      }
      var completion = transfer.submit();
      completion.await();
      deviceNanos = completion.deviceNanos();
      Map<String, HostTensor> results = new LinkedHashMap<>();
      readbacks.forEach(
          (output, readback) ->
              results.put(output.value(), tensor(output.type(), readback, sizes)));
      return results;
    }
  }

  private static HostTensor input(Map<String, HostTensor> inputs, String name) {
    HostTensor tensor = inputs.get(name);
    if (tensor == null) {
      throw new IllegalArgumentException("Cannot run without input " + name);
    }
    return tensor;
  }

  private void poison() throws InterruptedException {
    for (var chunk : arena.chunks()) {
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

  private <T extends AutoCloseable> T own(T resource) {
    owned.push(resource);
    return resource;
  }

  /** Closes what it holds, last made first. */
  @Override
  public void close() {
    while (!owned.isEmpty()) {
      try {
        owned.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException("Cannot close a graph run", e);
      }
    }
  }
}
