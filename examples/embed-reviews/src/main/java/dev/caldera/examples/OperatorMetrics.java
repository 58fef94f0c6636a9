package dev.caldera.examples;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The SQL metrics of the operator that runs models, as the SQL page of Spark's web interface shows
 * them too.
 *
 * @param values by the names that Spark shows, sorted
 */
record OperatorMetrics(Map<String, Metric> values) {
  private static final String OPERATOR = "BatchInfer";

  /**
   * Reads them from a plan that has run.
   *
   * @throws IllegalStateException if the plan runs no model
   */
  static OperatorMetrics of(SparkPlan plan) {
    SparkPlan operator =
        find(plan)
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "Cannot find operator " + OPERATOR + " in the plan:\n" + plan));
    Map<String, Metric> values = new TreeMap<>();
    CollectionConverters.asJava(operator.metrics())
        .forEach((key, metric) -> values.put(name(key, metric), Metric.of(metric)));
    return new OperatorMetrics(values);
  }

  /**
   * The value of a metric, in the unit of its type.
   *
   * @throws IllegalArgumentException if the operator has none of that name
   */
  long value(String name) {
    Metric metric = values.get(name);
    if (metric == null) {
      throw new IllegalArgumentException(
          "Cannot find metric '" + name + "': the operator has " + values.keySet());
    }
    return metric.value();
  }

  private static String name(String key, SQLMetric metric) {
    return metric.name().isDefined() ? metric.name().get() : key;
  }

  private static Optional<SparkPlan> find(SparkPlan plan) {
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      return find(adaptive.executedPlan());
    }
    if (plan instanceof QueryStageExec stage) {
      return find(stage.plan());
    }
    if (plan.nodeName().startsWith(OPERATOR)) {
      return Optional.of(plan);
    }
    return CollectionConverters.asJava(plan.children()).stream()
        .flatMap(child -> find(child).stream())
        .findFirst();
  }

  /**
   * A metric's sum over all tasks.
   *
   * @param type how Spark counts it: "sum", "size" (bytes), "timing" (ms), "nsTiming" (ns)
   * @param value the sum, in that unit
   */
  record Metric(String type, long value) {
    static Metric of(SQLMetric metric) {
      return new Metric(metric.metricType(), metric.value());
    }

    /** The value with its unit. */
    @Override
    public String toString() {
      return switch (type) {
        case "timing" -> String.format(Locale.ROOT, "%.3f s", value * 1e-3);
        case "nsTiming" -> String.format(Locale.ROOT, "%.3f s", value * 1e-9);
        case "size" -> String.format(Locale.ROOT, "%.1f MB", value * 1e-6);
        default -> String.format(Locale.ROOT, "%,d", value);
      };
    }
  }
}
