package dev.caldera.backend.vulkan;

import dev.caldera.backend.Device;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.RandomTensors;
import dev.caldera.testing.SharedVulkan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(SharedVulkan.class)
class SoftmaxKernelTest {

  @ParameterizedTest
  @CsvSource({"0", "1", "2"})
  void normalisesAlongAnyAxis(int axis, Device device) throws InterruptedException {
    KernelCheck.of(new Op.Softmax(axis))
        .input(RandomTensors.normal(axis, 5, 13, 70))
        .within(1e-11, device);
  }

  @Test
  void aMaskedElementBecomesZero(Device device) throws InterruptedException {
    float[] values = {1, Float.NEGATIVE_INFINITY, 3, -1e30f, 80, 85, Float.NEGATIVE_INFINITY, 79};
    KernelCheck.of(new Op.Softmax(1)).input(HostTensor.floats(values, 2, 4)).within(1e-11, device);
  }
}
