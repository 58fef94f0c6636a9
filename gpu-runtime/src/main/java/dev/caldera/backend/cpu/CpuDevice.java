package dev.caldera.backend.cpu;

import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceInfo;
import dev.caldera.memory.AllocationCounters;
import dev.caldera.memory.BufferUse;
import dev.caldera.memory.DeviceBuffer;
import dev.caldera.memory.OutOfDeviceMemoryException;
import dev.caldera.memory.WeightPool;
import dev.caldera.plan.ExecutionPlan;
import dev.caldera.plan.KernelCatalog;
import java.util.HashSet;
import java.util.Set;

/**
 * The cores of this machine as a device.
 *
 * <p>Its memory is arrays of the Java heap. It has no queue: a submission runs in the thread that
 * submits it, so an engine drives it with one worker a core, each with a small arena of its own
 * that stays in that core's cache.
 */
final class CpuDevice implements Device {
  /** Tokens of a batch: large enough to amortise reading the weights, small enough for a cache. */
  private static final int BATCH_TOKENS = 512;

  /** Arrays and direct buffers end just below 2^31 elements or bytes. */
  private static final long ALLOCATION_LIMIT = Integer.MAX_VALUE - 255L;

  /** Names of the computes that are warm; its monitor is held while one warms up. */
  private static final Set<String> WARM = new HashSet<>();

  private final DeviceInfo info;
  private final Compute compute;
  private final CpuKernels kernels;
  private final int threads;
  private final AllocationCounters counters = new AllocationCounters();

  CpuDevice(DeviceInfo info, Compute compute, int threads) {
    this.info = info;
    this.compute = compute;
    this.kernels = CpuKernels.of(compute);
    this.threads = threads;
  }

  @Override
  public DeviceInfo info() {
    return info;
  }

  @Override
  public KernelCatalog kernels() {
    return kernels;
  }

  @Override
  public Driving driving() {
    return new Driving(threads, true, BATCH_TOKENS);
  }

  @Override
  public Program compile(ExecutionPlan plan, WeightPool.Lease weights) {
    return CpuProgram.compile(this, kernels, plan, weights);
  }

  /** Warms up once a process and kind of kernels; devices opened later find the code compiled. */
  @Override
  public void warmUp() throws InterruptedException {
    synchronized (WARM) {
      if (!WARM.contains(compute.name())) {
        WarmUp.run(this, threads);
        WARM.add(compute.name());
      }
    }
  }

  @Override
  public DeviceBuffer allocate(long bytes, BufferUse use) {
    if (bytes <= 0 || bytes > ALLOCATION_LIMIT) {
      throw new IllegalArgumentException(
          "Cannot allocate %d bytes for %s: expected 1 to %d"
              .formatted(bytes, use, ALLOCATION_LIMIT));
    }
    CpuBuffer buffer;
    try {
      buffer = new CpuBuffer(this, bytes, use);
    } catch (OutOfMemoryError e) {
      OutOfDeviceMemoryException failure =
          new OutOfDeviceMemoryException(
              "Cannot allocate %d bytes for %s: %s; the heap may grow to %d bytes (-Xmx)"
                  .formatted(bytes, use, e.getMessage(), Runtime.getRuntime().maxMemory()));
      failure.initCause(e);
      throw failure;
    }
    counters.allocated(bytes);
    return buffer;
  }

  @Override
  public long allocationLimit() {
    return ALLOCATION_LIMIT;
  }

  @Override
  public KernelCommands begin() {
    return new CpuCommands(this);
  }

  @Override
  public AllocationCounters counters() {
    return counters;
  }

  /** The buffer as this device's own. */
  CpuBuffer own(DeviceBuffer buffer) {
    if (buffer instanceof CpuBuffer ours && ours.isOf(this)) {
      return ours;
    }
    throw new IllegalArgumentException(
        "Cannot use a "
            + buffer.use()
            + " buffer of "
            + buffer.bytes()
            + " bytes: it belongs to another device");
  }

  @Override
  public void close() {}
}
