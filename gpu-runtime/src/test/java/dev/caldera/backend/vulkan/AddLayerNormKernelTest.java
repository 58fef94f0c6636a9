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
class AddLayerNormKernelTest {

  @ParameterizedTest
  @CsvSource({"1, 1", "3, 7", "13, 384", "5, 129"})
  void normalisesSumsOfAnyLength(int rows, int columns, Device device) throws InterruptedException {
    KernelCheck.of(new Op.AddLayerNorm(1e-5f))
        .input(RandomTensors.normal(rows, rows, columns))
        .input(RandomTensors.normal(1, rows, columns))
        .weight(RandomTensors.normal(2, columns))
        .weight(RandomTensors.normal(3, columns))
        .within(1e-11, device);
  }

  @Test
  void aRowHasTheSameBitsAlone(Device device) throws InterruptedException {
    HostTensor x = RandomTensors.normal(4, 9, 50);
    HostTensor together = normalise(x, x, device);
    for (int row = 0; row < 9; row++) {
      HostTensor alone = KernelCheck.rows(x, row, 1);
      assertThat(normalise(alone, alone, device).toFloats())
          .isEqualTo(KernelCheck.rows(together, row, 1).toFloats());
    }
  }

  private static HostTensor normalise(HostTensor x, HostTensor residual, Device device)
      throws InterruptedException {
    return KernelCheck.of(new Op.AddLayerNorm(1e-12f))
        .input(x)
        .input(residual)
        .weight(RandomTensors.normal(5, 50))
        .weight(RandomTensors.normal(6, 50))
        .run(device);
  }
}
