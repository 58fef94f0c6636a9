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
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(SharedVulkan.class)
class LinearKernelTest {

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "7, 3, 5", "9, 64, 65", "66, 31, 17", "20, 130, 70", "70, 128, 200"})
  void multipliesMatricesOfAnySize(int rows, int depth, int columns, Device device)
      throws InterruptedException {
    check(Activation.NONE, RandomTensors.normal(rows, rows, depth), columns).within(1e-11, device);
  }

  @ParameterizedTest
  @EnumSource
  void appliesEachActivation(Activation activation, Device device) throws InterruptedException {
    check(activation, RandomTensors.normal(1, 13, 4), 40).within(1e-11, device);
  }

  @Test
  void aWeightThatIsComputedIsBroughtIntoPanels(Device device) throws InterruptedException {
    KernelCheck.of(new Op.Linear(Activation.NONE))
        .input(RandomTensors.normal(1, 5, 33))
        .input(RandomTensors.normal(2, 33, 70))
        .input(RandomTensors.normal(3, 70))
        .within(1e-11, device);
  }

  @Test
  void aRowHasTheSameBitsAlone(Device device) throws InterruptedException {
    HostTensor x = RandomTensors.normal(7, 21, 37);
    HostTensor together = check(Activation.GELU_ERF, x, 29).run(device);
    for (int row : new int[] {0, 7, 8, 20}) {
      HostTensor alone = check(Activation.GELU_ERF, KernelCheck.rows(x, row, 1), 29).run(device);
      assertThat(alone.toFloats()).isEqualTo(KernelCheck.rows(together, row, 1).toFloats());
    }
  }

  private static KernelCheck check(Activation activation, HostTensor x, int columns) {
    return KernelCheck.of(new Op.Linear(activation))
        .input(x)
        .weight(RandomTensors.normal(2, x.dim(1), columns))
        .weight(RandomTensors.normal(3, columns));
  }
}
