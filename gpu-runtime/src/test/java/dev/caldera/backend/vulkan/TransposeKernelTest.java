package dev.caldera.backend.vulkan;

import dev.caldera.backend.Device;
import dev.caldera.graph.DType;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.RandomTensors;
import dev.caldera.testing.SharedVulkan;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedVulkan.class)
class TransposeKernelTest {

  @Test
  void permutesAnyDims(Device device) throws InterruptedException {
    HostTensor x = RandomTensors.normal(1, 3, 4, 5, 7);
    for (List<Integer> permutation :
        List.of(
            List.of(0, 2, 1, 3), List.of(0, 2, 3, 1), List.of(3, 2, 1, 0), List.of(0, 1, 2, 3))) {
      KernelCheck.of(new Op.Transpose(permutation)).input(x).exact(device);
    }
  }

  @Test
  void permutesEveryWidth(Device device) throws InterruptedException {
    for (DType type : new DType[] {DType.BOOL, DType.I32, DType.I64}) {
      KernelCheck.of(new Op.Transpose(List.of(1, 0)))
          .input(HostTensor.integers(type, new long[] {0, 1, 1, 0, 0, 1}, 2, 3))
          .exact(device);
    }
  }
}
