package dev.caldera.spark.sql;

import dev.caldera.spark.interop.ScalaCollections;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Offset;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Sort;

/**
 * Moves projections with calls up, so that a model sees rows after they are sorted and cut.
 *
 * <ul>
 *   <li>Above a sort whose order does not need a call: a range sort samples its input, which runs
 *       it twice.
 *   <li>Above a limit or offset of sorted rows: {@code ORDER BY id LIMIT n} evaluates n rows.
 *   <li>Of a limit of rows in any order, a local limit goes below the projection; the limit itself
 *       stays above, since Spark runs partitions one after another to fill it only at the root.
 * </ul>
 */
final class LateProjection {
  private LateProjection() {}

  /** The plan with its projections moved. */
  static LogicalPlan in(LogicalPlan plan) {
    if (!Calls.isIn(plan)) {
      return plan;
    }
    List<LogicalPlan> children =
        ScalaCollections.list(plan.children()).stream().map(LateProjection::in).toList();
    LogicalPlan node = plan.withNewChildren(ScalaCollections.seq(children));
    if (node instanceof Sort sort && sort.child() instanceof Project project) {
      return aboveSort(sort, project);
    }
    if (node instanceof LocalLimit limit && limit.child() instanceof Project project) {
      return isSorted(project.child()) ? swap(node, project) : limitBelow(limit, project);
    }
    if ((node instanceof GlobalLimit || node instanceof Offset)
        && children.get(0) instanceof Project project
        && isSorted(project.child())) {
      return swap(node, project);
    }
    return node;
  }

  private static LogicalPlan aboveSort(Sort sort, Project project) {
    if (!isMovable(project)) {
      return sort;
    }
    Map<Expression, Expression> aliases = Reuse.aliases(project);
    LogicalPlan ordered =
        (LogicalPlan)
            sort.mapExpressions(
                ScalaCollections.function(order -> Calls.replace((Expression) order, aliases)));
    return Calls.areIn(ordered) ? sort : swap(ordered, project);
  }

  private static LogicalPlan swap(LogicalPlan node, Project project) {
    return isMovable(project)
        ? new Project(
            project.projectList(), node.withNewChildren(ScalaCollections.seq(project.child())))
        : node;
  }

  private static LogicalPlan limitBelow(LocalLimit limit, Project project) {
    if (!Calls.areIn(project) || project.child() instanceof LocalLimit) {
      return limit;
    }
    LogicalPlan limited = new LocalLimit(limit.limitExpr(), project.child());
    return new LocalLimit(limit.limitExpr(), new Project(project.projectList(), limited));
  }

  /** Whether rows come from a sort, cut or not. */
  private static boolean isSorted(LogicalPlan plan) {
    if (plan instanceof LocalLimit || plan instanceof GlobalLimit || plan instanceof Offset) {
      return isSorted(ScalaCollections.list(plan.children()).get(0));
    }
    return plan instanceof Sort;
  }

  private static boolean isMovable(Project project) {
    return Calls.areIn(project)
        && ExtractCalls.expressions(project.projectList()).stream()
            .allMatch(Expression::deterministic);
  }
}
