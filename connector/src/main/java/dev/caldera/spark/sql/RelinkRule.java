package dev.caldera.spark.sql;

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.SparkPlan;
import scala.Option;

/**
 * Links a physical root to the plan that {@link ExtractCalls} made instead of the one it was made
 * from, so that adaptive execution goes on from what runs.
 */
public final class RelinkRule extends Rule<SparkPlan> {
  @Override
  public SparkPlan apply(SparkPlan plan) {
    Option<LogicalPlan> link = plan.logicalLink();
    if (link.isDefined()) {
      Option<LogicalPlan> extracted = link.get().getTagValue(CalderaStrategy.EXTRACTED);
      if (extracted.isDefined()) {
        plan.setLogicalLink(extracted.get());
      }
    }
    return plan;
  }
}
