package dev.caldera.backend.vulkan;

import dev.caldera.backend.Device;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.RandomTensors;
import dev.caldera.testing.SharedVulkan;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedVulkan.class)
class ReduceMeanKernelTest {

  @Test
  void meansOverAnyAxes(Device device) throws InterruptedException {
    HostTensor x = RandomTensors.normal(1, 3, 7, 5, 33);
    for (List<Integer> axes :
        List.of(List.of(3), List.of(1), List.of(0, 2), List.of(1, 3), List.of(0, 1, 2, 3))) {
      for (boolean keepDims : new boolean[] {false, true}) {
        KernelCheck.of(new Op.ReduceMean(axes, keepDims)).input(x).within(1e-9, device);
      }
    }
  }
}
