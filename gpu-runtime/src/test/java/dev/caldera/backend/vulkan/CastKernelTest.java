package dev.caldera.backend.vulkan;

import dev.caldera.backend.Device;
import dev.caldera.graph.DType;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.testing.SharedVulkan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedVulkan.class)
class CastKernelTest {

  @Test
  void convertsBetweenAllTypes(Device device) throws InterruptedException {
    HostTensor floats = HostTensor.floats(new float[] {-2.9f, -0.5f, 0, 0.5f, 2.9f, 123456}, 6);
    HostTensor ints = HostTensor.ints(new int[] {-5, 0, 1, Integer.MAX_VALUE}, 4);
    HostTensor longs = HostTensor.integers(DType.I64, new long[] {-5, 0, 1, 1 << 30}, 4);
    HostTensor booleans = HostTensor.integers(DType.BOOL, new long[] {0, 1, 1}, 3);
    for (HostTensor x : new HostTensor[] {floats, ints, longs, booleans}) {
      for (DType type : new DType[] {DType.F32, DType.I32, DType.I64, DType.BOOL}) {
        if (type != x.dtype()) {
          KernelCheck.of(new Op.Cast(type)).input(x).exact(device);
        }
      }
    }
  }

  @Test
  void longsBeyond32BitsBecomeTheNearestFloat(Device device) throws InterruptedException {
    KernelCheck.of(new Op.Cast(DType.F32))
        .input(HostTensor.integers(DType.I64, new long[] {-(1L << 40), (1L << 50) + 12345}, 2))
        .within(1e-14, device);
  }
}
