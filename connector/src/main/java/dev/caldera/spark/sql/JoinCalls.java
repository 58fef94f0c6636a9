package dev.caldera.spark.sql;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.InnerLike;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import scala.Option;

/**
 * Calls in the condition of a join. A call that reads one side is evaluated on that side; one that
 * reads both is evaluated above an inner join, and cannot be in any other.
 */
final class JoinCalls {
  private JoinCalls() {}

  static LogicalPlan rewrite(Join join) {
    Expression condition = join.condition().get();
    Evaluation left = Evaluation.of(List.of(condition), join.left());
    Evaluation right = Evaluation.of(left.expressions(), join.right());
    List<Expression> within = new ArrayList<>();
    List<Expression> above = new ArrayList<>();
    for (Expression conjunct : ExtractCalls.conjuncts(right.expressions().get(0))) {
      (Calls.isIn(conjunct) ? above : within).add(conjunct);
    }
    if (!above.isEmpty() && !(join.joinType() instanceof InnerLike)) {
      throw AnalysisErrors.raise(bothSides(join));
    }
    LogicalPlan joined =
        join.copy(
            left.plan(),
            right.plan(),
            join.joinType(),
            within.isEmpty() ? Option.empty() : Option.apply(ExtractCalls.conjunction(within)),
            join.hint());
    return above.isEmpty() ? joined : ExtractCalls.filter(ExtractCalls.conjunction(above), joined);
  }

  /** Refuses a join whose condition has a call that could be evaluated nowhere. */
  static void check(Join join) {
    if (join.joinType() instanceof InnerLike || join.condition().isEmpty()) {
      return;
    }
    for (GuardedCall place : GuardedCall.in(join.condition().get())) {
      if (!Calls.reads(place.call(), join.left().outputSet())
          && !Calls.reads(place.call(), join.right().outputSet())) {
        throw AnalysisErrors.raise(bothSides(join));
      }
    }
  }

  private static org.apache.spark.sql.AnalysisException bothSides(Join join) {
    return AnalysisErrors.of(
        "Cannot evaluate a model on columns of both sides in the condition of a "
            + join.joinType().sql()
            + " join: "
            + join.condition().get().sql()
            + "; evaluate it on each side in a subquery first, or use an inner join");
  }
}
