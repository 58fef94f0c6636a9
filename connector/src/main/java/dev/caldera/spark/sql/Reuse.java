package dev.caldera.spark.sql;

import dev.caldera.spark.interop.ScalaCollections;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Repartition;
import org.apache.spark.sql.catalyst.plans.logical.Sort;

/**
 * A result that was computed lower in a plan for every row that comes up, and the plan made to pass
 * it up. Looks down through Project, Filter, Limit, Sort, Repartition and BatchInfer.
 *
 * @param column the result
 * @param plan the plan; its output begins with what it was
 */
record Reuse(Attribute column, LogicalPlan plan) {

  /** The result of the same unconditional call in {@code plan}. */
  static Optional<Reuse> find(ModelCall call, LogicalPlan plan) {
    if (plan instanceof BatchInfer node) {
      Optional<Attribute> result = Calls.resultOf(node, call);
      if (result.isPresent()) {
        return Optional.of(new Reuse(result.get(), node));
      }
      return Calls.reads(call, node.child().outputSet())
          ? find(call, node.child()).map(below -> below.through(node))
          : Optional.empty();
    }
    if (plan instanceof Project project) {
      return find(substitute(call, project), project.child()).map(below -> below.through(project));
    }
    if (plan instanceof Filter filter) {
      return find(call, filter.child()).map(below -> below.through(filter));
    }
    if (plan instanceof Sort sort) {
      return find(call, sort.child()).map(below -> below.through(sort));
    }
    if (plan instanceof LocalLimit limit) {
      return find(call, limit.child()).map(below -> below.through(limit));
    }
    if (plan instanceof GlobalLimit limit) {
      return find(call, limit.child()).map(below -> below.through(limit));
    }
    if (plan instanceof Repartition repartition) {
      return find(call, repartition.child()).map(below -> below.through(repartition));
    }
    return Optional.empty();
  }

  private static ModelCall substitute(ModelCall call, Project project) {
    Map<Expression, Expression> aliases = aliases(project);
    return call.withInputs(
        call.inputs().stream().map(input -> Calls.replace(input, aliases)).toList());
  }

  /** What each alias of a projection stands for, by the alias's column. */
  static Map<Expression, Expression> aliases(Project project) {
    Map<Expression, Expression> aliases = new LinkedHashMap<>();
    for (NamedExpression named : ScalaCollections.list(project.projectList())) {
      if (named instanceof Alias alias) {
        aliases.put(alias.toAttribute().canonicalized(), alias.child());
      }
    }
    return aliases;
  }

  private Reuse through(LogicalPlan node) {
    return new Reuse(column, node.withNewChildren(ScalaCollections.seq(plan)));
  }

  private Reuse through(Project project) {
    List<NamedExpression> list = new ArrayList<>(ScalaCollections.list(project.projectList()));
    if (!project.outputSet().contains(column)) {
      list.add((NamedExpression) column);
    }
    return new Reuse(column, new Project(ScalaCollections.seq(list), plan));
  }
}
