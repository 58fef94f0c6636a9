package dev.caldera.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DimTest {

  private static final Dim BATCH = Dim.symbol("batch");
  private static final Dim SEQUENCE = Dim.symbol("sequence");

  @Test
  void equalDimsAreEqualRecords() {
    assertThat(Dim.product(BATCH, SEQUENCE)).isEqualTo(Dim.product(SEQUENCE, BATCH));
    assertThat(Dim.product(Dim.product(BATCH, Dim.fixed(12)), Dim.fixed(32)))
        .isEqualTo(Dim.product(Dim.fixed(384), BATCH));
    assertThat(Dim.difference(Dim.sum(BATCH, SEQUENCE), BATCH)).isEqualTo(SEQUENCE);
    assertThat(Dim.difference(SEQUENCE, SEQUENCE)).isEqualTo(Dim.fixed(0));
    assertThat(Dim.product(Dim.sum(BATCH, Dim.fixed(1)), Dim.fixed(2)))
        .isEqualTo(Dim.sum(Dim.product(BATCH, Dim.fixed(2)), Dim.fixed(2)));
    assertThat(Dim.product(BATCH, Dim.fixed(0))).isEqualTo(Dim.fixed(0));
  }

  @Test
  void quotientsCancelSharedFactors() {
    Dim elements = Dim.product(Dim.product(BATCH, SEQUENCE), Dim.fixed(384));
    assertThat(Dim.quotient(elements, Dim.fixed(32)))
        .isEqualTo(Dim.product(Dim.product(BATCH, SEQUENCE), Dim.fixed(12)));
    assertThat(Dim.quotient(elements, Dim.product(SEQUENCE, Dim.fixed(384)))).isEqualTo(BATCH);
    assertThat(Dim.quotient(BATCH, SEQUENCE)).hasToString("(batch)/(sequence)");
    assertThat(Dim.quotient(Dim.fixed(0), SEQUENCE)).isEqualTo(Dim.fixed(0));
  }

  @Test
  void quotientsAreExact() {
    assertThatThrownBy(() -> Dim.quotient(Dim.fixed(7), Dim.fixed(2)))
        .hasMessage("Cannot divide dim 7 by 2: the quotient is not whole");
    assertThatThrownBy(() -> Dim.quotient(BATCH, Dim.fixed(0)))
        .hasMessage("Cannot divide dim batch by 0");
    Dim half = Dim.quotient(SEQUENCE, Dim.fixed(2));
    assertThat(half.evaluate(Map.of("sequence", 8L))).isEqualTo(4);
    assertThatThrownBy(() -> half.evaluate(Map.of("sequence", 7L)))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> half.evaluate(Map.of()))
        .hasMessage("Cannot evaluate dim sequence: only [] are bound");
  }

  @Test
  void overflowIsAnError() {
    assertThatThrownBy(() -> Dim.product(Dim.fixed(1L << 40), Dim.fixed(1L << 40)))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void normalFormKeepsTheValue() {
    Random random = new Random(5);
    Map<String, Long> bindings = Map.of("batch", 3L, "sequence", 11L);
    for (int i = 0; i < 500; i++) {
      Dim dim = BATCH;
      long value = 3;
      for (int step = 0; step < 5; step++) {
        Dim operand = random.nextBoolean() ? SEQUENCE : Dim.fixed(random.nextInt(9) - 4);
        long size = operand.evaluate(bindings);
        switch (random.nextInt(3)) {
          case 0 -> {
            dim = Dim.sum(dim, operand);
            value += size;
          }
          case 1 -> {
            dim = Dim.difference(operand, dim);
            value = size - value;
          }
          default -> {
            dim = Dim.product(operand, dim);
            value *= size;
          }
        }
      }
      assertThat(dim.evaluate(bindings)).isEqualTo(value);
      assertThat(dim.substitute(Map.of("batch", Dim.fixed(3), "sequence", Dim.fixed(11))))
          .isEqualTo(Dim.fixed(value));
    }
  }
}
