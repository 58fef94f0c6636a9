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
class LayerNormKernelTest {

  @ParameterizedTest
  @CsvSource({"1, 1", "3, 7", "13, 384", "5, 129"})
  void normalisesRowsOfAnyLength(int rows, int columns, Device device) throws InterruptedException {
    KernelCheck.of(new Op.LayerNorm(1e-5f))
        .input(RandomTensors.normal(rows, rows, columns))
        .weight(RandomTensors.normal(2, columns))
        .weight(RandomTensors.normal(3, columns))
        .within(1e-11, device);
  }

  @Test
  void aRowHasTheSameBitsAlone(Device device) throws InterruptedException {
    HostTensor x = RandomTensors.normal(4, 9, 50);
    HostTensor together = normalise(x, device);
    for (int row = 0; row < 9; row++) {
      assertThat(normalise(KernelCheck.rows(x, row, 1), device).toFloats())
          .isEqualTo(KernelCheck.rows(together, row, 1).toFloats());
    }
  }

  private static HostTensor normalise(HostTensor x, Device device) throws InterruptedException {
    return KernelCheck.of(new Op.LayerNorm(1e-12f))
        .input(x)
        .weight(RandomTensors.normal(5, 50))
        .weight(RandomTensors.normal(6, 50))
        .run(device);
  }
}
