package dev.caldera.spark.sql;

import dev.caldera.spark.interop.ScalaCollections;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/** Refuses, while a query is analysed, places where a call could not be evaluated. */
public final class CheckCalls extends AbstractFunction1<LogicalPlan, BoxedUnit> {
  @Override
  public BoxedUnit apply(LogicalPlan plan) {
    check(plan);
    return BoxedUnit.UNIT;
  }

  private static void check(LogicalPlan plan) {
    if (!Calls.isIn(plan)) {
      return;
    }
    if (plan instanceof Join join && Calls.areIn(join)) {
      JoinCalls.check(join);
    }
    ScalaCollections.list(plan.children()).forEach(CheckCalls::check);
  }
}
