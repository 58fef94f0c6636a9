package dev.caldera.backend.cpu;

import static dev.caldera.backend.cpu.OpCheck.between;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PackedAttentionKernelTest {

  @ParameterizedTest
  @CsvSource({
    "12, 32", "6, 64", "3, 128", "24, 16", "4, 96", "2, 48", "5, 80", "3, 40", "7, 20", "2, 7",
    "1, 1", "12, 64", "1, 384"
  })
  void attendsWithHeadsOfAnySize(int heads, int size) {
    check(new Random(size), heads, size, 33, 1, 0, 64, 5, 2);
  }

  @Test
  void attendsOverSequencesOfRandomLengths() {
    Random random = new Random(8);
    for (int i = 0; i < 10; i++) {
      check(
          random,
          between(random, 1, 6),
          between(random, 1, 60),
          between(random, 0, 50),
          between(random, 1, 130),
          between(random, 0, 9));
    }
  }

  @Test
  void refusesStartsOutOfRange() {
    OpCheck check =
        OpCheck.of(new Op.PackedAttention(1, 2, 1f))
            .input(OpCheck.random(new Random(1), 3, 6))
            .input(HostTensor.ints(new int[] {0, 4}, 2));
    assertThatThrownBy(check::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot run node node: start 1 is 4, expected ascending numbers from 0 to 3");
  }

  private static void check(Random random, int heads, int size, int... lengths) {
    int[] starts = new int[lengths.length + 1];
    for (int i = 0; i < lengths.length; i++) {
      starts[i + 1] = starts[i] + lengths[i];
    }
    int tokens = starts[lengths.length];
    OpCheck.of(new Op.PackedAttention(heads, size, (float) (1 / Math.sqrt(size))))
        .input(OpCheck.random(random, tokens, 3L * heads * size))
        .input(HostTensor.ints(starts, starts.length))
        .within(1e-11);
  }
}
