package dev.caldera.backend.vulkan;

import dev.caldera.backend.Device;
import dev.caldera.graph.Dim;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.RandomTensors;
import dev.caldera.testing.SharedVulkan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedVulkan.class)
class SliceKernelTest {

  @Test
  void cutsAlongAnyAxis(Device device) throws InterruptedException {
    HostTensor x = RandomTensors.normal(1, 5, 6, 7);
    slice(1, 2, 5, x, device);
    slice(2, 3, 4, x, device);
    slice(2, 0, 7, x, device);
    slice(0, 1, 4, x, device);
  }

  private static void slice(int axis, long start, long end, HostTensor x, Device device)
      throws InterruptedException {
    KernelCheck.of(new Op.Slice(axis, Dim.fixed(start), Dim.fixed(end))).input(x).exact(device);
  }
}
