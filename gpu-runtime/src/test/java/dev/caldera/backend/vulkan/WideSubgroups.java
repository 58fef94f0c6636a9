package dev.caldera.backend.vulkan;

import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceInfo;
import dev.caldera.memory.AllocationCounters;
import dev.caldera.memory.BufferUse;
import dev.caldera.memory.DeviceBuffer;
import dev.caldera.memory.WeightPool;
import dev.caldera.plan.ExecutionPlan;
import dev.caldera.plan.KernelCatalog;
import dev.caldera.shaders.Shader;

/** The test device, with kernels prepared as for a GPU whose subgroups have 32 invocations. */
final class WideSubgroups implements Device {
  private static final int GPU_SUBGROUP = 32;

  private final VulkanDevice device;

  WideSubgroups(Device device) {
    this.device = (VulkanDevice) device;
  }

  @Override
  public Program compile(ExecutionPlan plan, WeightPool.Lease weights) {
    VulkanProgram narrow = (VulkanProgram) device.compile(plan, weights);
    return VulkanProgram.compile(
        narrow.context(), new VulkanKernels(), new Wide(device.pipelines()), plan, weights);
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
    return device.driving();
  }

  @Override
  public KernelCommands begin() {
    return device.begin();
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

  /** Does nothing: the device belongs to the test's extension. */
  @Override
  public void close() {}

  private record Wide(Pipelines pipelines) implements Pipelines {
    @Override
    public Pipeline pipeline(Shader shader, int... constants) {
      return pipelines.pipeline(shader, constants);
    }

    @Override
    public int subgroupSize() {
      return GPU_SUBGROUP;
    }

    @Override
    public int workgroupLimit() {
      return pipelines.workgroupLimit();
    }

    @Override
    public int sharedMemoryLimit() {
      return pipelines.sharedMemoryLimit();
    }
  }
}
