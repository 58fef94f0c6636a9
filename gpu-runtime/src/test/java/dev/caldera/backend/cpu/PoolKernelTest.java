package dev.caldera.backend.cpu;

import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PoolKernelTest {

  @ParameterizedTest
  @EnumSource(Op.Pooling.class)
  void poolsSequencesAlsoEmptyOnes(Op.Pooling pooling) {
    for (boolean normalize : new boolean[] {false, true}) {
      for (int columns : new int[] {5, 384, 400}) {
        OpCheck.of(new Op.Pool(pooling, normalize))
            .input(OpCheck.random(new Random(columns), 9, columns))
            .input(HostTensor.ints(new int[] {0, 4, 4, 5, 9}, 5))
            .within(1e-12);
      }
    }
  }
}
