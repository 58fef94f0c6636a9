package dev.caldera.backend.cpu;

import dev.caldera.graph.Op;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddLayerNormKernelTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 33, 64, 384, 769, 1000})
  void normalisesSumsOfAnyWidth(int columns) {
    Random random = new Random(columns);
    OpCheck.of(new Op.AddLayerNorm(1e-12f))
        .input(OpCheck.random(random, 13, columns))
        .input(OpCheck.random(random, 13, columns))
        .weight(OpCheck.random(random, columns))
        .weight(OpCheck.random(random, columns))
        .within(1e-11);
  }
}
