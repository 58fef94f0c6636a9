package dev.caldera.backend.vulkan;

import dev.caldera.memory.ArenaContract;
import dev.caldera.memory.MemoryDevice;

class VulkanArenaTest extends ArenaContract {
  @Override
  protected MemoryDevice openDevice() {
    return VulkanDevices.open();
  }

  @Override
  protected void closeDevice(MemoryDevice opened) {
    VulkanDevices.closeSilently((VulkanDevice) opened);
  }
}
