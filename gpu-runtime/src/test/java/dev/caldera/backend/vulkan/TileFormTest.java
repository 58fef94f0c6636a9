package dev.caldera.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.backend.Device;
import dev.caldera.graph.Activation;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.RandomTensors;
import dev.caldera.testing.SharedVulkan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The forms that kernels take on a GPU, run on the test device. */
@ExtendWith(SharedVulkan.class)
class TileFormTest {

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "66, 31, 17", "20, 132, 70", "130, 64, 129"})
  void linearHasTheSameBitsInBothForms(int rows, int depth, int columns, Device device)
      throws InterruptedException {
    assertThat(linear(rows, depth, columns).run(new WideSubgroups(device)).toFloats())
        .isEqualTo(linear(rows, depth, columns).run(device).toFloats());
    linear(rows, depth, columns).within(1e-11, new WideSubgroups(device));
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "66, 31, 17", "20, 132, 70"})
  void matMulHasTheSameBitsInBothForms(int rows, int depth, int columns, Device device)
      throws InterruptedException {
    assertThat(matMul(rows, depth, columns).run(new WideSubgroups(device)).toFloats())
        .isEqualTo(matMul(rows, depth, columns).run(device).toFloats());
    matMul(rows, depth, columns).within(1e-11, new WideSubgroups(device));
  }

  @Test
  void attentionOverBlocksOfKeysIsRight(Device device) throws InterruptedException {
    int[] starts = {0, 1, 12, 12, 21};
    KernelCheck.of(new Op.PackedAttention(3, 8, 0.4f))
        .input(RandomTensors.normal(1, 21, 72))
        .input(HostTensor.ints(starts, starts.length))
        .within(1e-11, new WideSubgroups(device));
  }

  private static KernelCheck linear(int rows, int depth, int columns) {
    return KernelCheck.of(new Op.Linear(Activation.GELU_ERF))
        .input(RandomTensors.normal(1, rows, depth))
        .weight(RandomTensors.normal(2, depth, columns))
        .weight(RandomTensors.normal(3, columns));
  }

  private static KernelCheck matMul(int rows, int depth, int columns) {
    return KernelCheck.of(new Op.MatMul())
        .input(RandomTensors.normal(1, 3, rows, depth))
        .input(RandomTensors.normal(2, depth, columns));
  }
}
