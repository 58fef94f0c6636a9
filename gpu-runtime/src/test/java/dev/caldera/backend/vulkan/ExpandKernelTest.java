package dev.caldera.backend.vulkan;

import dev.caldera.backend.Device;
import dev.caldera.graph.DType;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.RandomTensors;
import dev.caldera.graph.Shape;
import dev.caldera.testing.SharedVulkan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedVulkan.class)
class ExpandKernelTest {

  @Test
  void repeatsDimsOfOne(Device device) throws InterruptedException {
    KernelCheck.of(new Op.Expand(Shape.fixed(4, 3, 5)))
        .input(RandomTensors.normal(1, 3, 1))
        .exact(device);
    KernelCheck.of(new Op.Expand(Shape.fixed(2, 1, 3, 6)))
        .input(HostTensor.integers(DType.BOOL, new long[] {1, 0, 0, 1, 1, 0}, 1, 1, 1, 6))
        .exact(device);
  }
}
