package dev.caldera.backend.vulkan;

import dev.caldera.backend.Device;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.RandomTensors;
import dev.caldera.testing.SharedVulkan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(SharedVulkan.class)
class PoolKernelTest {

  private static final int[] STARTS = {0, 1, 1, 6, 29, 40};

  @ParameterizedTest
  @EnumSource
  void poolsSequencesOfAnyLength(Op.Pooling pooling, Device device) throws InterruptedException {
    for (boolean normalize : new boolean[] {false, true}) {
      for (int columns : new int[] {1, 19, 384}) {
        KernelCheck.of(new Op.Pool(pooling, normalize))
            .input(RandomTensors.normal(columns, 40, columns))
            .input(HostTensor.ints(STARTS, STARTS.length))
            .within(1e-12, device);
      }
    }
  }

  @Test
  void aRunOfFewerSequencesThanTheBucketReadsOnlyItsOwn(Device device) throws InterruptedException {
    PackedSequences.check(
        new Op.Pool(Op.Pooling.MEAN, true), RandomTensors.normal(3, 50, 24), device, 7, 1, 13);
  }
}
