package dev.caldera.backend.vulkan;

import dev.caldera.backend.Device;
import dev.caldera.graph.DType;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.RandomTensors;
import dev.caldera.testing.SharedVulkan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(SharedVulkan.class)
class UnaryKernelTest {

  @ParameterizedTest
  @EnumSource(names = "NOT", mode = EnumSource.Mode.EXCLUDE)
  void appliesEachFunction(Op.UnaryKind kind, Device device) throws InterruptedException {
    HostTensor x = RandomTensors.normal(kind.ordinal(), 7, 111);
    KernelCheck.of(new Op.Unary(kind))
        .input(kind == Op.UnaryKind.SQRT ? squares(x) : x)
        .within(1e-12, device);
  }

  @ParameterizedTest
  @EnumSource(names = {"ERF", "TANH", "SIGMOID", "GELU_ERF", "GELU_TANH", "RELU"})
  void standsFarValues(Op.UnaryKind kind, Device device) throws InterruptedException {
    float[] values = {-1e30f, -1000, -90, -20, -6, -4, -1e-6f, 0, 1e-6f, 4, 6, 20, 90, 1000, 1e9f};
    KernelCheck.of(new Op.Unary(kind))
        .input(HostTensor.floats(values, values.length))
        .within(1e-12, device);
  }

  @Test
  void negatesBooleans(Device device) throws InterruptedException {
    KernelCheck.of(new Op.Unary(Op.UnaryKind.NOT))
        .input(HostTensor.integers(DType.BOOL, new long[] {0, 1, 1, 0, 1}, 5))
        .exact(device);
  }

  private static HostTensor squares(HostTensor x) {
    float[] values = x.toFloats();
    for (int i = 0; i < values.length; i++) {
      values[i] *= values[i];
    }
    return HostTensor.floats(values, x.dims());
  }
}
