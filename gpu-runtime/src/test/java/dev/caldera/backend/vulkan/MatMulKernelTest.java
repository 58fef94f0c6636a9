package dev.caldera.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.backend.Device;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.RandomTensors;
import dev.caldera.testing.SharedVulkan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(SharedVulkan.class)
class MatMulKernelTest {

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "7, 3, 5", "9, 64, 65", "66, 31, 17", "20, 130, 70"})
  void multipliesMatricesOfAnySize(int rows, int depth, int columns, Device device)
      throws InterruptedException {
    KernelCheck.of(new Op.MatMul())
        .input(RandomTensors.normal(rows, rows, depth))
        .input(RandomTensors.normal(columns, depth, columns))
        .within(1e-11, device);
  }

  @Test
  void broadcastsBatches(Device device) throws InterruptedException {
    KernelCheck.of(new Op.MatMul())
        .input(RandomTensors.normal(1, 2, 3, 9, 10))
        .input(RandomTensors.normal(2, 3, 10, 11))
        .within(1e-11, device);
    KernelCheck.of(new Op.MatMul())
        .input(RandomTensors.normal(3, 2, 1, 9, 10))
        .input(RandomTensors.normal(4, 5, 10, 11))
        .within(1e-11, device);
    KernelCheck.of(new Op.MatMul())
        .input(RandomTensors.normal(5, 4, 9, 10))
        .weight(RandomTensors.normal(6, 10, 11))
        .within(1e-11, device);
  }

  @Test
  void aRowHasTheSameBitsAlone(Device device) throws InterruptedException {
    HostTensor x = RandomTensors.normal(7, 21, 37);
    HostTensor together = multiply(x, device);
    for (int row : new int[] {0, 7, 8, 20}) {
      assertThat(multiply(KernelCheck.rows(x, row, 1), device).toFloats())
          .isEqualTo(KernelCheck.rows(together, row, 1).toFloats());
    }
  }

  private static HostTensor multiply(HostTensor x, Device device) throws InterruptedException {
    return KernelCheck.of(new Op.MatMul())
        .input(x)
        .input(RandomTensors.normal(8, 37, 29))
        .run(device);
  }
}
