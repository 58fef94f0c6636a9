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
class BinaryKernelTest {

  @ParameterizedTest
  @EnumSource(
      names = {"AND", "OR", "POWER"},
      mode = EnumSource.Mode.EXCLUDE)
  void appliesEachFunctionToFloats(Op.BinaryKind kind, Device device) throws InterruptedException {
    check(kind, RandomTensors.normal(1, 3, 1, 17), RandomTensors.normal(2, 5, 1), device);
    check(kind, RandomTensors.normal(3, 6, 31), RandomTensors.normal(4, 6, 31), device);
    check(kind, RandomTensors.normal(5, 1), RandomTensors.normal(6, 2, 3, 4), device);
  }

  @Test
  void raisesToPowers(Device device) throws InterruptedException {
    HostTensor x = HostTensor.floats(new float[] {-3, -0.5f, 0, 0.25f, 2, 10}, 6, 1);
    HostTensor exponents = HostTensor.floats(new float[] {2, 3, 0, 1, 4}, 5);
    check(Op.BinaryKind.POWER, x, exponents, device);
    HostTensor positive = HostTensor.floats(new float[] {0, 0.25f, 2, 10}, 4, 1);
    HostTensor fractions = HostTensor.floats(new float[] {0.5f, 2.5f, 1 / 3f}, 3);
    check(Op.BinaryKind.POWER, positive, fractions, device);
  }

  @ParameterizedTest
  @EnumSource(
      names = {"AND", "OR", "POWER"},
      mode = EnumSource.Mode.EXCLUDE)
  void appliesEachFunctionToIntegers(Op.BinaryKind kind, Device device)
      throws InterruptedException {
    for (DType type : new DType[] {DType.I32, DType.I64}) {
      long[] a = {7, -7, 0, 100_000, -1, 3};
      long[] b = {2, 2, 5, 20_000, -1, 3};
      KernelCheck.of(new Op.Binary(kind))
          .input(HostTensor.integers(type, a, 2, 3))
          .input(HostTensor.integers(type, b, 2, 3))
          .exact(device);
    }
  }

  @Test
  void integersOf64BitsKeepTheirHighBits(Device device) throws InterruptedException {
    KernelCheck.of(new Op.Binary(Op.BinaryKind.ADD))
        .input(HostTensor.integers(DType.I64, new long[] {1L << 40, -(1L << 50)}, 2))
        .input(HostTensor.integers(DType.I64, new long[] {1}, 1))
        .exact(device);
  }

  @ParameterizedTest
  @EnumSource(names = {"AND", "OR", "EQUAL"})
  void combinesBooleans(Op.BinaryKind kind, Device device) throws InterruptedException {
    KernelCheck.of(new Op.Binary(kind))
        .input(HostTensor.integers(DType.BOOL, new long[] {0, 0, 1, 1}, 2, 2))
        .input(HostTensor.integers(DType.BOOL, new long[] {0, 1}, 2))
        .exact(device);
  }

  private static void check(Op.BinaryKind kind, HostTensor a, HostTensor b, Device device)
      throws InterruptedException {
    KernelCheck.of(new Op.Binary(kind)).input(a).input(b).within(1e-12, device);
  }
}
