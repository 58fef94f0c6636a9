package dev.caldera.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
class PackedAttentionKernelTest {

  @ParameterizedTest
  @CsvSource({"12, 32", "2, 64", "5, 4", "1, 20"})
  void attendsWithHeadsOfAnySize(int heads, int size, Device device) throws InterruptedException {
    int[] starts = {0, 33, 34, 34, 70, 75, 77};
    KernelCheck.of(new Op.PackedAttention(heads, size, (float) (1 / Math.sqrt(size))))
        .input(RandomTensors.normal(heads, 77, 3L * heads * size))
        .input(HostTensor.ints(starts, starts.length))
        .within(1e-11, device);
  }

  @Test
  void largeScoresDoNotOverflow(Device device) throws InterruptedException {
    KernelCheck.of(new Op.PackedAttention(2, 16, 30f))
        .input(RandomTensors.normal(3, 21, 96))
        .input(HostTensor.ints(new int[] {0, 21}, 2))
        .within(1e-8, device);
  }

  @Test
  void aSequenceHasTheSameBitsWhateverStandsBesideIt(Device device) throws InterruptedException {
    PackedSequences.check(
        new Op.PackedAttention(3, 32, 0.2f), RandomTensors.normal(4, 90, 288), device, 13, 1, 40);
  }

  @Test
  void refusesAHeadSizeThatVectorsDoNotCover(Device device) {
    KernelCheck check =
        KernelCheck.of(new Op.PackedAttention(2, 7, 1f))
            .input(RandomTensors.normal(1, 3, 42))
            .input(HostTensor.ints(new int[] {0, 3}, 2));
    assertThatThrownBy(() -> check.run(device))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "Cannot run PackedAttention at node node: the head size is 7, a multiple of 4 would be"
                + " right");
  }

  @Test
  void startsBehindTheTokensAreCutThere(Device device) throws InterruptedException {
    HostTensor x = RandomTensors.normal(5, 6, 24);
    HostTensor wild = attend(x, device, 0, 4, 100);
    assertThat(wild.toFloats()).isEqualTo(attend(x, device, 0, 4, 6).toFloats());
  }

  private static HostTensor attend(HostTensor x, Device device, int... starts)
      throws InterruptedException {
    return KernelCheck.of(new Op.PackedAttention(2, 4, 1f))
        .input(x)
        .input(HostTensor.ints(starts, starts.length))
        .run(device);
  }
}
