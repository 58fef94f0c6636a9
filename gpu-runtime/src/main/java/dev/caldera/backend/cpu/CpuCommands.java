package dev.caldera.backend.cpu;

import dev.caldera.backend.Device;
import dev.caldera.memory.Arena;
import dev.caldera.memory.Completion;
import dev.caldera.memory.DeviceBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Records copies and programs; {@link #submit} runs them in the calling thread. */
final class CpuCommands implements Device.KernelCommands {
  private final CpuDevice device;
  private @Nullable List<Runnable> recorded = new ArrayList<>();

  CpuCommands(CpuDevice device) {
    this.device = device;
  }

  @Override
  public void copy(
      DeviceBuffer source, long sourceOffset, DeviceBuffer target, long targetOffset, long bytes) {
    CpuBuffer from = device.own(source);
    CpuBuffer to = device.own(target);
    check("from", from, sourceOffset, bytes);
    check("to", to, targetOffset, bytes);
    if (from == to && Math.abs(sourceOffset - targetOffset) < bytes) {
      throw new IndexOutOfBoundsException(
          "Cannot copy %d bytes from offset %d to offset %d of one buffer: the ranges overlap"
              .formatted(bytes, sourceOffset, targetOffset));
    }
    record(() -> CpuBuffer.copy(from, sourceOffset, to, targetOffset, bytes));
  }

  private static void check(String way, CpuBuffer buffer, long offset, long bytes) {
    if (offset < 0 || bytes < 0 || offset > buffer.bytes() - bytes) {
      throw new IndexOutOfBoundsException(
          "Cannot copy %d bytes %s offset %d of a buffer of %d bytes"
              .formatted(bytes, way, offset, buffer.bytes()));
    }
  }

  @Override
  public void run(Device.Program program, Arena arena, Map<String, Long> sizes) {
    if (!(program instanceof CpuProgram ours) || !ours.isOf(device)) {
      throw new IllegalArgumentException(
          "Cannot run the program of plan "
              + program.plan().graph()
              + ": it was compiled for another device");
    }
    List<CpuBuffer> chunks = arena.chunks().stream().map(device::own).toList();
    Map<String, Long> copied = Map.copyOf(sizes);
    ours.check(chunks, copied);
    record(() -> ours.run(chunks, copied));
  }

  private void record(Runnable command) {
    if (recorded == null) {
      throw new IllegalStateException("Cannot record: the commands were submitted or closed");
    }
    recorded.add(command);
  }

  @Override
  public Completion submit() {
    List<Runnable> commands = recorded;
    if (commands == null) {
      throw new IllegalStateException("Cannot submit: the commands were submitted or closed");
    }
    recorded = null;
    long start = System.nanoTime();
    commands.forEach(Runnable::run);
    return new Done(System.nanoTime() - start);
  }

  @Override
  public void close() {
    recorded = null;
  }

  /** A submission that has run. */
  private record Done(long deviceNanos) implements Completion {
    @Override
    public void await() {}

    @Override
    public boolean isDone() {
      return true;
    }
  }
}
