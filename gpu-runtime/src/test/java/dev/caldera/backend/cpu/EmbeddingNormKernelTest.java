package dev.caldera.backend.cpu;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddingNormKernelTest {

  @ParameterizedTest
  @ValueSource(ints = {3, 32, 384, 500})
  void sumsAndNormalises(int columns) {
    check(columns, 10, 0, 6, 3).within(1e-11);
  }

  @Test
  void refusesAnIdOutsideTheTable() {
    assertThatThrownBy(check(4, 11, 0, 1)::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot run node node: token id 11 of token 0 is out of range, expected 0 to 10");
    assertThatThrownBy(check(4, 1, -1)::run)
        .hasMessage(
            "Cannot run node node: token id -1 of token 1 is out of range, expected 0 to 10");
  }

  private static OpCheck check(int columns, int... ids) {
    Random random = new Random(columns);
    int[] positions = new int[ids.length];
    int[] types = new int[ids.length];
    for (int i = 0; i < ids.length; i++) {
      positions[i] = i;
      types[i] = i % 2;
    }
    return OpCheck.of(new Op.EmbeddingNorm(1e-12f))
        .input(HostTensor.ints(ids, ids.length))
        .input(HostTensor.ints(positions, ids.length))
        .input(HostTensor.ints(types, ids.length))
        .weight(OpCheck.random(random, 11, columns))
        .weight(OpCheck.random(random, 8, columns))
        .weight(OpCheck.random(random, 2, columns))
        .weight(OpCheck.random(random, columns))
        .weight(OpCheck.random(random, columns));
  }
}
