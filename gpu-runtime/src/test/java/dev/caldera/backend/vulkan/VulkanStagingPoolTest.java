package dev.caldera.backend.vulkan;

import dev.caldera.memory.MemoryDevice;
import dev.caldera.memory.StagingPoolContract;

class VulkanStagingPoolTest extends StagingPoolContract {
  @Override
  protected MemoryDevice openDevice() {
    return VulkanDevices.open();
  }

  @Override
  protected void closeDevice(MemoryDevice opened) {
    VulkanDevices.closeSilently((VulkanDevice) opened);
  }
}
