package dev.caldera.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {

  @Test
  void keepsAShortTextOnOneLine() {
    assertThat(Report.wrap(" Boils fast.\n Loud as a jet. "))
        .containsExactly("Boils fast. Loud as a jet.");
  }

  @Test
  void breaksAtSpacesAndEndsALongTextWithAnEllipsis() {
    List<String> lines = Report.wrap("steam ".repeat(100));

    assertThat(lines).hasSize(3).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(88));
    assertThat(lines.get(0)).isEqualTo("steam ".repeat(14).strip());
    assertThat(lines.get(2)).endsWith("steam ...");
  }

  @Test
  void writesUnitsBesideValues() {
    assertThat(new OperatorMetrics.Metric("sum", 12_345)).hasToString("12,345");
    assertThat(new OperatorMetrics.Metric("timing", 1_500)).hasToString("1.500 s");
    assertThat(new OperatorMetrics.Metric("nsTiming", 2_000_000_000L)).hasToString("2.000 s");
    assertThat(new OperatorMetrics.Metric("size", 91_000_000)).hasToString("91.0 MB");
  }
}
