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
class EmbeddingNormKernelTest {

  @ParameterizedTest
  @CsvSource({"1, 8", "17, 33", "5, 384"})
  void addsThreeTablesAndNormalises(int tokens, int columns, Device device)
      throws InterruptedException {
    check(
            RandomTensors.ints(1, 31, tokens),
            RandomTensors.ints(2, 12, tokens),
            RandomTensors.ints(3, 2, tokens),
            columns)
        .within(1e-11, device);
  }

  @Test
  void anIndexOutsideATableReadsTheNearestRow(Device device) throws InterruptedException {
    HostTensor wild =
        check(
                HostTensor.ints(new int[] {Integer.MAX_VALUE, -7}, 2),
                HostTensor.ints(new int[] {12, Integer.MIN_VALUE}, 2),
                HostTensor.ints(new int[] {2, -1}, 2),
                16)
            .run(device);
    HostTensor nearest =
        check(
                HostTensor.ints(new int[] {30, 0}, 2),
                HostTensor.ints(new int[] {11, 0}, 2),
                HostTensor.ints(new int[] {1, 0}, 2),
                16)
            .run(device);
    assertThat(wild.toFloats()).isEqualTo(nearest.toFloats());
  }

  private static KernelCheck check(
      HostTensor ids, HostTensor positions, HostTensor types, int columns) {
    return KernelCheck.of(new Op.EmbeddingNorm(1e-12f))
        .input(ids)
        .input(positions)
        .input(types)
        .weight(RandomTensors.normal(4, 31, columns))
        .weight(RandomTensors.normal(5, 12, columns))
        .weight(RandomTensors.normal(6, 2, columns))
        .weight(RandomTensors.normal(7, columns))
        .weight(RandomTensors.normal(8, columns));
  }
}
