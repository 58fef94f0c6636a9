package dev.caldera.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.testing.VulkanTesting;
import java.util.List;

/** The test device, and its end with nothing left open and nothing said by the validation layer. */
final class VulkanDevices {
  private VulkanDevices() {}

  static VulkanDevice open() {
    return (VulkanDevice) VulkanTesting.open();
  }

  static void closeSilently(VulkanDevice device) {
    long open = device.counters().liveBuffers();
    device.close();
    List<String> messages = device.validationMessages();
    assertThat(open).as("buffers that are still open").isZero();
    assertThat(messages).as("what the validation layer said").isEmpty();
  }
}
