package dev.caldera.backend.cpu;

import dev.caldera.graph.Op;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LayerNormKernelTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 31, 32, 33, 100, 383, 384, 385, 1000})
  void normalisesRowsOfAnyWidth(int columns) {
    Random random = new Random(columns);
    OpCheck.of(new Op.LayerNorm(1e-5f))
        .input(OpCheck.random(random, 5, columns))
        .weight(OpCheck.random(random, columns))
        .weight(OpCheck.random(random, columns))
        .within(1e-11);
  }
}
