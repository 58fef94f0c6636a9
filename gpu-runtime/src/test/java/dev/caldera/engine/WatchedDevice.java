package dev.caldera.engine;

import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceInfo;
import dev.caldera.memory.AllocationCounters;
import dev.caldera.memory.Arena;
import dev.caldera.memory.BufferUse;
import dev.caldera.memory.Completion;
import dev.caldera.memory.DeviceBuffer;
import dev.caldera.memory.OutOfDeviceMemoryException;
import dev.caldera.memory.WeightPool;
import dev.caldera.model.EncoderGraph;
import dev.caldera.plan.ExecutionPlan;
import dev.caldera.plan.KernelCatalog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A device that counts what it is asked to run, and holds back or refuses runs when told to. */
final class WatchedDevice implements Device {
  /** Tokens of each run, in the order of their beginning. */
  final List<Long> runs = Collections.synchronizedList(new ArrayList<>());

  /** Programs that are compiled and not closed. */
  final AtomicInteger openPrograms = new AtomicInteger();

  /** Runs of more tokens find no memory. */
  volatile long roomTokens = Long.MAX_VALUE;

  private volatile CountDownLatch gate = new CountDownLatch(0);

  private final Device device;
  private final int batchTokens;

  WatchedDevice(Device device, int batchTokens) {
    this.device = device;
    this.batchTokens = batchTokens;
  }

  /** Holds back all runs until {@link #letGo()}. */
  void hold() {
    gate = new CountDownLatch(1);
  }

  void letGo() {
    gate.countDown();
  }

  @Override
  public DeviceInfo info() {
    return device.info();
  }

  @Override
  public KernelCatalog kernels() {
    return device.kernels();
  }

  @Override
  public Driving driving() {
    return new Driving(device.driving().workers(), device.driving().arenaPerWorker(), batchTokens);
  }

  @Override
  public Program compile(ExecutionPlan plan, WeightPool.Lease weights) {
    Program program = device.compile(plan, weights);
    openPrograms.incrementAndGet();
    return new WatchedProgram(program);
  }

  @Override
  public DeviceBuffer allocate(long bytes, BufferUse use) {
    return device.allocate(bytes, use);
  }

  @Override
  public long allocationLimit() {
    return device.allocationLimit();
  }

  @Override
  public AllocationCounters counters() {
    return device.counters();
  }

  @Override
  public KernelCommands begin() {
    return new WatchedCommands(device.begin());
  }

  @Override
  public void close() {
    device.close();
  }

  private final class WatchedProgram implements Program {
    private final Program program;

    WatchedProgram(Program program) {
      this.program = program;
    }

    @Override
    public ExecutionPlan plan() {
      return program.plan();
    }

    @Override
    public void close() {
      openPrograms.decrementAndGet();
      program.close();
    }
  }

  private final class WatchedCommands implements KernelCommands {
    private final KernelCommands commands;

    WatchedCommands(KernelCommands commands) {
      this.commands = commands;
    }

    @Override
    public void run(Program program, Arena arena, Map<String, Long> sizes) {
      long tokens = sizes.getOrDefault(EncoderGraph.TOKENS, 0L);
      runs.add(tokens);
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException("Cannot run: interrupted", e);
      }
      if (tokens > roomTokens) {
        throw new OutOfDeviceMemoryException("Cannot allocate for " + tokens + " tokens");
      }
      commands.run(((WatchedProgram) program).program, arena, sizes);
    }

    @Override
    public void copy(
        DeviceBuffer source,
        long sourceOffset,
        DeviceBuffer target,
        long targetOffset,
        long bytes) {
      commands.copy(source, sourceOffset, target, targetOffset, bytes);
    }

    @Override
    public Completion submit() {
      return commands.submit();
    }

    @Override
    public void close() {
      commands.close();
    }
  }
}
