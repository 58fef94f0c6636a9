package dev.caldera.backend.vulkan;

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
class MaskedAttentionKernelTest {

  @ParameterizedTest
  @CsvSource({"1, 1, 2, 32", "3, 17, 4, 16", "2, 40, 1, 64"})
  void leavesMaskedKeysOut(int batch, int length, int heads, int size, Device device)
      throws InterruptedException {
    long hidden = (long) heads * size;
    KernelCheck.of(new Op.MaskedAttention(heads, size, 0.3f))
        .input(RandomTensors.normal(1, batch, length, hidden))
        .input(RandomTensors.normal(2, batch, length, hidden))
        .input(RandomTensors.normal(3, batch, length, hidden))
        .input(mask(batch, length))
        .within(1e-11, device);
  }

  @Test
  void aBlockOfMaskedKeysBeforeTheFirstVisibleOneCountsNothing(Device device)
      throws InterruptedException {
    float[] mask = new float[11];
    mask[9] = 1;
    KernelCheck.of(new Op.MaskedAttention(1, 8, 1f))
        .input(RandomTensors.normal(1, 1, 11, 8))
        .input(RandomTensors.normal(2, 1, 11, 8))
        .input(RandomTensors.normal(3, 1, 11, 8))
        .input(HostTensor.floats(mask, 1, 11))
        .within(1e-12, device);
  }

  /** The first keys of each batch count: all of batch 0, fewer in each that follows. */
  private static HostTensor mask(int batch, int length) {
    float[] mask = new float[batch * length];
    for (int i = 0; i < mask.length; i++) {
      mask[i] = i % length < Math.max(1, length - 5 * (i / length)) ? 1 : 0;
    }
    return HostTensor.floats(mask, batch, length);
  }
}
