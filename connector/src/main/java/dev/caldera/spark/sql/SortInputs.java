package dev.caldera.spark.sql;

import dev.caldera.spark.interop.ScalaCollections;
import java.util.List;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Repartition;
import org.apache.spark.sql.catalyst.plans.logical.RepartitionOperation;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.internal.SQLConf;

/** Inputs of global sorts, which Spark runs twice up to the nearest shuffle. */
final class SortInputs {
  private SortInputs() {}

  /** Whether a model is evaluated between {@code plan} and the nearest shuffle below. */
  static boolean wouldEvaluateTwice(LogicalPlan plan) {
    if (plan instanceof BatchInfer) {
      return true;
    }
    if (shuffles(plan)) {
      return false;
    }
    List<LogicalPlan> children = ScalaCollections.list(plan.children());
    return children.stream().anyMatch(SortInputs::wouldEvaluateTwice);
  }

  private static boolean shuffles(LogicalPlan plan) {
    return plan instanceof Aggregate
        || plan instanceof Window
        || plan instanceof GlobalLimit
        || (plan instanceof RepartitionOperation repartition && repartition.shuffle())
        || (plan instanceof Sort sort && sort.global());
  }

  /** The plan, its rows dealt out anew. */
  static LogicalPlan shuffled(LogicalPlan plan) {
    return new Repartition(SQLConf.get().numShufflePartitions(), true, plan);
  }
}
