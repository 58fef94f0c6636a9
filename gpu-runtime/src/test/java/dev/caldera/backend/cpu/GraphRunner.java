package dev.caldera.backend.cpu;

import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceOptions;
import dev.caldera.graph.Graph;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.TensorData;
import dev.caldera.memory.BufferRange;
import dev.caldera.memory.BufferUse;
import dev.caldera.memory.Commands;
import dev.caldera.memory.DeviceBuffer;
import dev.caldera.memory.WeightPool;
import dev.caldera.plan.ExecutionPlan;
import dev.caldera.plan.LayoutPacker;
import dev.caldera.plan.Operand;
import dev.caldera.plan.Planner;
import dev.caldera.plan.WeightKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Plans a graph for the CPU, uploads its weights and runs it; everything through real buffers. */
final class GraphRunner implements AutoCloseable {
  private final CpuDevice device;
  private final ExecutionPlan plan;
  private final Lease weights;
  private final List<CpuBuffer> arena = new ArrayList<>();
  private final CpuProgram program;

  GraphRunner(Compute compute, Graph graph, Map<String, Long> bucket) {
    device = open(compute);
    plan =
        new Planner("cpu", device.kernels(), device.allocationLimit()).plan(graph, "test", bucket);
    weights = new Lease(device, plan);
    for (long bytes : plan.memory().chunkBytes()) {
      arena.add(device.own(device.allocate(bytes, BufferUse.DEVICE)));
    }
    program = (CpuProgram) device.compile(plan, weights);
  }

  static CpuDevice open(Compute compute) {
    CpuBackend backend = new CpuBackend();
    try (Device device = backend.open(backend.devices().get(0), DeviceOptions.defaults())) {
      return new CpuDevice(device.info(), compute, 1);
    }
  }

  /** The computes of this JVM: plain loops, and vectors where it has them. */
  static List<Compute> computes() {
    Compute chosen = ComputeChoice.chosen();
    Compute plain = Compute.plain("for a test");
    return chosen.tiles() instanceof PlainTiles ? List.of(plain) : List.of(plain, chosen);
  }

  ExecutionPlan plan() {
    return plan;
  }

  /** Fills the arena with NaN: whatever a kernel reads without having written it shows. */
  GraphRunner poison() {
    for (CpuBuffer chunk : arena) {
      java.util.Arrays.fill(chunk.array(), Float.NaN);
    }
    return this;
  }

  /** The outputs, by name. */
  Map<String, HostTensor> run(Map<String, HostTensor> inputs, Map<String, Long> sizes) {
    program.check(arena, sizes);
    inputs.forEach(
        (name, tensor) -> upload(Objects.requireNonNull(plan.inputs().get(name)), tensor));
    program.run(arena, sizes);
    Map<String, HostTensor> outputs = new LinkedHashMap<>();
    plan.outputs().forEach((name, slot) -> outputs.put(name, read(slot, sizes)));
    return outputs;
  }

  private void upload(Operand.SlotOperand slot, HostTensor tensor) {
    TensorData data = tensor.toData();
    copyIn(device, data, arena.get(slot.slot().chunk()), slot.slot().offset());
  }

  private static void copyIn(CpuDevice device, TensorData data, DeviceBuffer target, long offset) {
    if (data.byteSize() == 0) {
      return;
    }
    try (DeviceBuffer staging = device.allocate(data.byteSize(), BufferUse.UPLOAD);
        Commands commands = device.begin()) {
      data.read(0, staging.mapped());
      commands.copy(staging, 0, target, offset, data.byteSize());
      commands.submit();
    }
  }

  private HostTensor read(Operand.SlotOperand slot, Map<String, Long> sizes) {
    long bytes = slot.type().bytes(sizes);
    long[] dims = slot.type().shape().evaluate(sizes);
    try (DeviceBuffer staging = device.allocate(Math.max(1, bytes), BufferUse.READBACK);
        Commands commands = device.begin()) {
      commands.copy(arena.get(slot.slot().chunk()), slot.slot().offset(), staging, 0, bytes);
      commands.submit();
      ByteBuffer mapped = staging.mapped();
      mapped.limit((int) bytes);
      return HostTensor.read(
          new dev.caldera.graph.TensorType(
              slot.type().dtype(), dev.caldera.graph.Shape.fixed(dims)),
          TensorData.of(copyOf(mapped)));
    }
  }

  private static ByteBuffer copyOf(ByteBuffer mapped) {
    return ByteBuffer.allocate(mapped.remaining()).put(mapped).flip();
  }

  @Override
  public void close() {
    arena.forEach(CpuBuffer::close);
    weights.close();
    if (device.counters().liveBuffers() != 0) {
      throw new IllegalStateException(device.counters().liveBuffers() + " buffers were not closed");
    }
    device.close();
  }

  /** All weights of a plan, packed, in one buffer. */
  private static final class Lease implements WeightPool.Lease {
    private final DeviceBuffer buffer;
    private final Map<WeightKey, BufferRange> ranges = new HashMap<>();

    Lease(CpuDevice device, ExecutionPlan plan) {
      Map<WeightKey, TensorData> packed = new LinkedHashMap<>();
      plan.weights()
          .forEach(
              (weight, data) ->
                  packed.put(
                      weight.key(), LayoutPacker.pack(data, weight.type(), weight.layout())));
      long total = packed.values().stream().mapToLong(d -> round(d.byteSize())).sum();
      buffer = device.allocate(Math.max(1, total), BufferUse.DEVICE);
      long offset = 0;
      for (Map.Entry<WeightKey, TensorData> entry : packed.entrySet()) {
        long bytes = entry.getValue().byteSize();
        copyIn(device, entry.getValue(), buffer, offset);
        ranges.put(entry.getKey(), new BufferRange(buffer, offset, bytes));
        offset += round(bytes);
      }
    }

    private static long round(long bytes) {
      return (bytes + 255) / 256 * 256;
    }

    @Override
    public BufferRange range(WeightKey key) {
      return Objects.requireNonNull(ranges.get(key));
    }

    @Override
    public void close() {
      buffer.close();
    }
  }
}
