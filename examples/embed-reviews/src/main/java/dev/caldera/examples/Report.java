package dev.caldera.examples;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.sql.Row;

/** Prints what the job found, for a terminal of 90 columns. */
final class Report {
  private static final int WIDTH = 84;
  private static final int LINES = 3;
  private static final String INDENT = " ".repeat(6);

  private final PrintStream out;

  /**
   * A report.
   *
   * @param out where it goes
   */
  Report(PrintStream out) {
    this.out = out;
  }

  /** The reviews nearest to the query: rows of product, text, similarity. */
  void nearest(String query, List<Row> rows) {
    out.printf("%nNearest to \"%s\"%n", query);
    for (Row row : rows) {
      out.printf(
          Locale.ROOT,
          "%n%5.2f %s%n",
          ((Number) row.getAs("similarity")).doubleValue(),
          row.getAs("product"));
      wrap(row.getAs("text")).forEach(line -> out.println(INDENT + line));
    }
  }

  /**
   * Rows and tokens a second, the time to load the model apart.
   *
   * @param seconds from the start of the query to its last row
   */
  void speed(long rows, OperatorMetrics metrics, double seconds) {
    long tokens = metrics.value("tokens");
    double loading = metrics.value("model load time") * 1e-9;
    double running = seconds - loading;
    out.printf(
        Locale.ROOT,
        "%n%,d rows, %,d tokens in %.2f s: %,.0f rows and %,.0f tokens a second%n",
        rows,
        tokens,
        running,
        rows / running,
        tokens / running);
    out.printf(Locale.ROOT, "(after %.2f s to load the model and warm it up)%n", loading);
  }

  /** The metrics of the operator, one a line. */
  void metrics(OperatorMetrics metrics) {
    out.println("\nMetrics of the operator");
    for (Map.Entry<String, OperatorMetrics.Metric> metric : metrics.values().entrySet()) {
      out.printf("  %-40s %12s%n", metric.getKey(), metric.getValue());
    }
    out.println();
  }

  /** Breaks a text into lines at spaces, and ends it with an ellipsis where it is long. */
  static List<String> wrap(String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.strip().split("\\s+")) {
      if (line.length() + 1 + word.length() > WIDTH && !line.isEmpty()) {
        if (lines.size() == LINES - 1) {
          lines.add(line + " ...");
          return lines;
        }
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  /**
   * What went wrong: the first line of each message from an exception to its cause, without Spark's
   * own wrapping where there is something inside, and without repetition.
   */
  static List<String> reasons(Throwable failure) {
    List<String> all = new ArrayList<>();
    List<String> inner = new ArrayList<>();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String line = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
      all.add(line);
      boolean said = inner.stream().anyMatch(earlier -> earlier.contains(line));
      if (!said && !cause.getClass().getName().startsWith("org.apache.spark")) {
        inner.add(line);
      }
    }
    return inner.isEmpty() ? all : inner;
  }
}
