package dev.caldera.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.backend.Device;
import dev.caldera.graph.DType;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.RandomTensors;
import dev.caldera.testing.SharedVulkan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(SharedVulkan.class)
class GatherKernelTest {

  @ParameterizedTest
  @CsvSource({"0", "1", "2"})
  void takesSlicesAlongAnyAxis(int axis, Device device) throws InterruptedException {
    HostTensor indices = HostTensor.ints(new int[] {3, 0, -1, 2, 2, -4}, 2, 3);
    KernelCheck.of(new Op.Gather(axis))
        .input(RandomTensors.normal(1, 4, 5, 7))
        .input(indices)
        .exact(device);
  }

  @Test
  void takesEveryWidthAtLongIndices(Device device) throws InterruptedException {
    HostTensor indices = HostTensor.integers(DType.I64, new long[] {2, -3, 1}, 3);
    for (DType type : new DType[] {DType.BOOL, DType.I32, DType.I64}) {
      KernelCheck.of(new Op.Gather(0))
          .input(HostTensor.integers(type, new long[] {0, 1, 1, 0, 0, 1}, 3, 2))
          .input(indices)
          .exact(device);
    }
  }

  @Test
  void anIndexOutsideReadsTheNearestSlice(Device device) throws InterruptedException {
    HostTensor result =
        KernelCheck.of(new Op.Gather(0))
            .input(HostTensor.floats(new float[] {1, 2, 3}, 3))
            .input(HostTensor.ints(new int[] {7, -9}, 2))
            .run(device);
    assertThat(result.toFloats()).containsExactly(3, 1);
  }
}
