package dev.caldera.spark.sql;

import dev.caldera.spark.interop.ScalaCollections;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.ReturnAnswer;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.collection.immutable.Seq;

/**
 * Plans calls of models. Custom strategies run before Spark's own and no optimizer rule runs after
 * them, so on the first node whose tree still holds a call the whole tree is rewritten by {@link
 * ExtractCalls} and planned instead.
 *
 * <p>Spark links the physical root to the logical plan that it asked for, the one with calls.
 * Adaptive execution plans again from that link, so the rewritten plan is left on it as a tag for
 * {@link RelinkRule}.
 */
public final class CalderaStrategy extends SparkStrategy {
  static final TreeNodeTag<LogicalPlan> EXTRACTED = new TreeNodeTag<>("caldera.extracted");

  @Override
  public Seq<SparkPlan> apply(LogicalPlan plan) {
    if (plan instanceof BatchInfer node) {
      return ScalaCollections.seq(node.over(planLater(node.child())));
    }
    if (!Calls.isIn(plan)) {
      return ScalaCollections.seq();
    }
    LogicalPlan extracted = ExtractCalls.from(plan);
    answer(plan).setTagValue(EXTRACTED, answer(extracted));
    return ScalaCollections.seq(planLater(extracted));
  }

  private static LogicalPlan answer(LogicalPlan plan) {
    return plan instanceof ReturnAnswer root ? root.child() : plan;
  }
}
