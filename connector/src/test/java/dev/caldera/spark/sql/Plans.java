package dev.caldera.spark.sql;

import dev.caldera.spark.interop.ScalaCollections;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.apache.spark.sql.execution.metric.SQLMetric;

/** Looks into physical plans. */
final class Plans {
  private Plans() {}

  /** All nodes of the plan that a query ran, stages of adaptive execution opened. */
  static List<SparkPlan> nodes(Dataset<Row> query) {
    List<SparkPlan> nodes = new ArrayList<>();
    collect(
        ((org.apache.spark.sql.classic.Dataset<Row>) query).queryExecution().executedPlan(), nodes);
    return nodes;
  }

  private static void collect(SparkPlan plan, List<SparkPlan> nodes) {
    nodes.add(plan);
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      collect(adaptive.executedPlan(), nodes);
    } else if (plan instanceof QueryStageExec stage) {
      collect(stage.plan(), nodes);
    } else {
      ScalaCollections.list(plan.children()).forEach(child -> collect(child, nodes));
    }
  }

  /** The model operators of the plan that a query ran. */
  static List<BatchInferExec> operators(Dataset<Row> query) {
    return nodes(query).stream()
        .filter(BatchInferExec.class::isInstance)
        .map(BatchInferExec.class::cast)
        .toList();
  }

  /** Values of a node's metrics by name. */
  static Map<String, Long> metrics(SparkPlan node) {
    Map<String, Long> values = new TreeMap<>();
    for (Map.Entry<String, SQLMetric> metric : ScalaCollections.map(node.metrics()).entrySet()) {
      values.put(metric.getKey(), metric.getValue().value());
    }
    return values;
  }
}
