package dev.caldera.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkException;
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

  @Test
  void countsSpeedWithoutTheTimeToLoad() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    OperatorMetrics metrics =
        new OperatorMetrics(
            Map.of(
                "tokens", new OperatorMetrics.Metric("sum", 12_000),
                "model load time", new OperatorMetrics.Metric("nsTiming", 1_000_000_000L)));

    new Report(new PrintStream(bytes, true, StandardCharsets.UTF_8)).speed(300, metrics, 3.0);

    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .contains("300 rows, 12,000 tokens in 2.00 s: 150 rows and 6,000 tokens a second")
        .contains("1.00 s to load");
  }

  @Test
  void namesTheMetricThatIsMissing() {
    OperatorMetrics metrics =
        new OperatorMetrics(Map.of("rows", new OperatorMetrics.Metric("sum", 1)));

    assertThatThrownBy(() -> metrics.value("tokens"))
        .hasMessage("Cannot find metric 'tokens': the operator has [rows]");
  }

  @Test
  void tellsReasonsWithoutSparksWrapping() {
    Exception inner = new IllegalArgumentException("Cannot open a.onnx: it is not there\nat ...");
    Exception wrapped = new SparkException("Job aborted\nDriver stacktrace", inner);

    assertThat(Report.reasons(wrapped)).containsExactly("Cannot open a.onnx: it is not there");
    assertThat(Report.reasons(new IllegalStateException("Cannot read it: it is gone", inner)))
        .containsExactly("Cannot read it: it is gone", "Cannot open a.onnx: it is not there");
    assertThat(
            Report.reasons(
                new IllegalStateException(
                    "Cannot start: no room", new IllegalStateException("no room"))))
        .containsExactly("Cannot start: no room");
    assertThat(Report.reasons(new SparkException("Job aborted", null)))
        .containsExactly("Job aborted");
  }
}
