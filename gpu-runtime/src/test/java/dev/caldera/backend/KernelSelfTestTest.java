package dev.caldera.backend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.testing.VulkanTesting;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernelSelfTestTest {

  @Test
  void everyKernelOfTheVulkanDevicePasses() throws InterruptedException {
    try (Device device = VulkanTesting.open()) {
      List<KernelSelfTest.Result> results = KernelSelfTest.run(device);
      assertThat(results).hasSizeGreaterThan(30).allSatisfy(r -> assertThat(r.failure()).isEmpty());
      assertThat(device.counters().liveBuffers()).isZero();
    }
  }
}
