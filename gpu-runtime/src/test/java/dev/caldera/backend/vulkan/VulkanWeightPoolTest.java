package dev.caldera.backend.vulkan;

import dev.caldera.memory.MemoryDevice;
import dev.caldera.memory.WeightPoolContract;

class VulkanWeightPoolTest extends WeightPoolContract {
  @Override
  protected MemoryDevice openDevice() {
    return VulkanDevices.open();
  }

  @Override
  protected void closeDevice(MemoryDevice opened) {
    VulkanDevices.closeSilently((VulkanDevice) opened);
  }
}
