package dev.caldera.spark.sql;

import dev.caldera.spark.interop.ScalaCollections;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.optimizer.ColumnPruning$;
import org.apache.spark.sql.catalyst.optimizer.RemoveNoopOperators$;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Sort;
import org.apache.spark.sql.catalyst.plans.logical.UnaryNode;
import scala.collection.immutable.Seq;

/**
 * Rewrites an optimized plan so that no expression holds a call: each call is evaluated by a {@link
 * BatchInfer} beneath the node that it stood in.
 *
 * <p>Steps:
 *
 * <ol>
 *   <li>{@link LateProjection}: projections with calls go above sorts and limits that do not need
 *       them;
 *   <li>bottom up, each node with calls is rewritten by what it is; every node keeps its output;
 *   <li>Spark's column pruning, since no optimizer runs after this.
 * </ol>
 */
final class ExtractCalls {
  private ExtractCalls() {}

  /** The plan without calls, with the same output. */
  static LogicalPlan from(LogicalPlan plan) {
    LogicalPlan rewritten = rewrite(LateProjection.in(plan));
    return RemoveNoopOperators$.MODULE$.apply(ColumnPruning$.MODULE$.apply(rewritten));
  }

  /** Rewrites a tree; its output stays as it is. */
  static LogicalPlan rewrite(LogicalPlan plan) {
    if (!Calls.isIn(plan)) {
      return plan;
    }
    List<LogicalPlan> children =
        ScalaCollections.list(plan.children()).stream().map(ExtractCalls::rewrite).toList();
    LogicalPlan node = plan.withNewChildren(ScalaCollections.seq(children));
    return Calls.areIn(node) ? exactly(node.output(), rewriteNode(node)) : withShuffle(node);
  }

  private static LogicalPlan rewriteNode(LogicalPlan node) {
    if (node instanceof Project project) {
      Evaluation evaluation = Evaluation.of(expressions(project.projectList()), project.child());
      return new Project(named(evaluation.expressions()), evaluation.plan());
    }
    if (node instanceof Filter filter) {
      return filter(filter.condition(), filter.child());
    }
    if (node instanceof Aggregate aggregate) {
      return AggregateCalls.rewrite(aggregate);
    }
    if (node instanceof Join join) {
      return JoinCalls.rewrite(join);
    }
    if (node instanceof UnaryNode unary) {
      return rewriteUnary(node, unary.child());
    }
    throw AnalysisErrors.raise(
        AnalysisErrors.of(
            "Cannot evaluate a model in " + node.nodeName() + ": select it in a subquery first"));
  }

  private static LogicalPlan rewriteUnary(LogicalPlan node, LogicalPlan child) {
    Evaluation evaluation = Evaluation.of(ScalaCollections.list(node.expressions()), child);
    var replaced = evaluation.expressions().iterator();
    LogicalPlan changed =
        (LogicalPlan) node.mapExpressions(ScalaCollections.function(expression -> replaced.next()));
    return withShuffle(changed.withNewChildren(ScalaCollections.seq(evaluation.plan())));
  }

  /**
   * Conjuncts without calls first, so that Spark can push them into the scan; then one conjunct
   * after the other, so that each is evaluated only for rows that the ones before let through.
   */
  static LogicalPlan filter(Expression condition, LogicalPlan child) {
    List<Expression> cheap = new ArrayList<>();
    List<Expression> dear = new ArrayList<>();
    for (Expression conjunct : conjuncts(condition)) {
      (Calls.isIn(conjunct) ? dear : cheap).add(conjunct);
    }
    LogicalPlan plan = cheap.isEmpty() ? child : new Filter(conjunction(cheap), child);
    for (Expression conjunct : dear) {
      Evaluation evaluation = Evaluation.of(List.of(conjunct), plan);
      plan = new Filter(evaluation.expressions().get(0), evaluation.plan());
    }
    return plan;
  }

  /**
   * A global sort runs its input twice, first to sample the ranges; a shuffle between keeps the
   * rows of the first time.
   */
  private static LogicalPlan withShuffle(LogicalPlan node) {
    if (node instanceof Sort sort && sort.global() && SortInputs.wouldEvaluateTwice(sort.child())) {
      return node.withNewChildren(ScalaCollections.seq(SortInputs.shuffled(sort.child())));
    }
    return node;
  }

  /** The plan, with a projection above it unless its output is the wanted one. */
  static LogicalPlan exactly(Seq<Attribute> output, LogicalPlan plan) {
    return plan.output().equals(output)
        ? plan
        : new Project(named(ScalaCollections.<Expression>list(output)), plan);
  }

  static List<Expression> expressions(Seq<NamedExpression> named) {
    return ScalaCollections.list(named).stream().map(Expression.class::cast).toList();
  }

  static Seq<NamedExpression> named(List<Expression> expressions) {
    return ScalaCollections.seq(expressions.stream().map(NamedExpression.class::cast).toList());
  }

  static List<Expression> conjuncts(Expression condition) {
    List<Expression> conjuncts = new ArrayList<>();
    if (condition instanceof And and) {
      conjuncts.addAll(conjuncts(and.left()));
      conjuncts.addAll(conjuncts(and.right()));
    } else {
      conjuncts.add(condition);
    }
    return conjuncts;
  }

  static Expression conjunction(List<Expression> conjuncts) {
    return conjuncts.stream().reduce(And::new).orElseThrow();
  }
}
