package dev.caldera.backend.cpu;

import static dev.caldera.backend.cpu.OpCheck.between;

import dev.caldera.graph.Activation;
import dev.caldera.graph.Op;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LinearKernelTest {

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1",
    "1, 384, 384",
    "13, 7, 33",
    "12, 385, 383",
    "25, 769, 31",
    "11, 300, 1153",
    "530, 64, 65",
    "3, 1536, 384"
  })
  void multipliesMatricesOfAnySize(int rows, int depth, int columns) {
    check(new Random(rows), Activation.NONE, rows, depth, columns);
  }

  @Test
  void multipliesMatricesOfRandomSizes() {
    Random random = new Random(42);
    for (int i = 0; i < 20; i++) {
      check(
          random,
          Activation.NONE,
          between(random, 1, 40),
          between(random, 1, 800),
          between(random, 1, 800));
    }
  }

  @ParameterizedTest
  @EnumSource(Activation.class)
  void appliesEveryActivation(Activation activation) {
    check(new Random(3), activation, 37, 9, 401);
  }

  @Test
  void takesLeadingDims() {
    Random random = new Random(5);
    OpCheck.of(new Op.Linear(Activation.NONE))
        .input(OpCheck.random(random, 2, 5, 9))
        .weight(OpCheck.random(random, 9, 10))
        .weight(OpCheck.random(random, 10))
        .within(1e-12);
  }

  private static void check(
      Random random, Activation activation, int rows, int depth, int columns) {
    OpCheck.of(new Op.Linear(activation))
        .input(OpCheck.random(random, rows, depth))
        .weight(OpCheck.random(random, depth, columns))
        .weight(OpCheck.random(random, columns))
        .within(1e-11);
  }
}
