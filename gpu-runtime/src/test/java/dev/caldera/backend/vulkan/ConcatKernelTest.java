package dev.caldera.backend.vulkan;

import dev.caldera.backend.Device;
import dev.caldera.graph.DType;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.RandomTensors;
import dev.caldera.testing.SharedVulkan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedVulkan.class)
class ConcatKernelTest {

  @Test
  void joinsAlongAnyAxis(Device device) throws InterruptedException {
    KernelCheck.of(new Op.Concat(0))
        .input(RandomTensors.normal(1, 2, 3, 5))
        .input(RandomTensors.normal(2, 4, 3, 5))
        .exact(device);
    KernelCheck.of(new Op.Concat(1))
        .input(RandomTensors.normal(1, 2, 3, 5))
        .input(RandomTensors.normal(2, 2, 1, 5))
        .input(RandomTensors.normal(3, 2, 8, 5))
        .exact(device);
    KernelCheck.of(new Op.Concat(2))
        .input(HostTensor.integers(DType.I64, new long[] {1, 2, 3, 4}, 2, 2, 1))
        .input(HostTensor.integers(DType.I64, new long[] {5, 6, 7, 8}, 2, 2, 1))
        .exact(device);
  }
}
