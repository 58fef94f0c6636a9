package dev.caldera.engine;

import dev.caldera.backend.Device;
import dev.caldera.testing.VulkanTesting;

/** The engine on the Vulkan test device, whose workers share one arena. */
class VulkanEngineFlowTest extends EngineFlowContract {
  @Override
  Device openDevice() {
    return VulkanTesting.open();
  }
}
