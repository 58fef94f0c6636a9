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
class WhereKernelTest {

  @Test
  void choosesByABroadcastCondition(Device device) throws InterruptedException {
    KernelCheck.of(new Op.Where())
        .input(HostTensor.integers(DType.BOOL, new long[] {1, 0, 1}, 3, 1))
        .input(RandomTensors.normal(1, 2, 3, 5))
        .input(RandomTensors.normal(2, 5))
        .exact(device);
  }

  @Test
  void choosesIntegersAndBooleans(Device device) throws InterruptedException {
    for (DType type : new DType[] {DType.I32, DType.I64, DType.BOOL}) {
      KernelCheck.of(new Op.Where())
          .input(HostTensor.integers(DType.BOOL, new long[] {1, 0, 1, 0, 0, 1}, 2, 3))
          .input(HostTensor.integers(type, new long[] {1}, 1))
          .input(HostTensor.integers(type, new long[] {0, 1, 0}, 3))
          .exact(device);
    }
  }
}
