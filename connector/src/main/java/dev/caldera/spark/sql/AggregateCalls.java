package dev.caldera.spark.sql;

import dev.caldera.spark.interop.ScalaCollections;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import scala.Option;

/**
 * Calls in an aggregation. One in a grouping expression or inside an aggregate function is
 * evaluated below, for each row; one around them above, for each group.
 */
final class AggregateCalls {
  private AggregateCalls() {}

  static LogicalPlan rewrite(Aggregate aggregate) {
    List<Expression> grouping = ScalaCollections.list(aggregate.groupingExpressions());
    List<Expression> results = ExtractCalls.expressions(aggregate.aggregateExpressions());
    Map<Expression, Expression> functions = new LinkedHashMap<>();
    results.forEach(result -> collectFunctions(result, functions));

    List<Expression> perRow = new ArrayList<>(grouping);
    perRow.addAll(functions.values());
    Evaluation below = Evaluation.of(perRow, aggregate.child());
    Map<Expression, Expression> replaced = new LinkedHashMap<>();
    for (int i = 0; i < perRow.size(); i++) {
      replaced.put(perRow.get(i).canonicalized(), below.expressions().get(i));
    }
    List<Expression> newGrouping = below.expressions().subList(0, grouping.size());
    List<Expression> newResults =
        results.stream().map(result -> Calls.replace(result, replaced)).toList();
    if (newResults.stream().noneMatch(Calls::isIn)) {
      return copy(aggregate, newGrouping, newResults, below.plan());
    }
    return callsAbove(aggregate, newGrouping, newResults, below.plan());
  }

  private static LogicalPlan callsAbove(
      Aggregate aggregate, List<Expression> grouping, List<Expression> results, LogicalPlan child) {
    Map<Expression, Expression> columns = new LinkedHashMap<>();
    List<Expression> groups = new ArrayList<>();
    Map<Expression, Expression> functions = new LinkedHashMap<>();
    results.forEach(result -> collectFunctions(result, functions));
    List<Expression> needed = new ArrayList<>(grouping);
    needed.addAll(functions.values());
    for (Expression expression : needed) {
      NamedExpression named = expression instanceof Attribute column ? column : alias(expression);
      groups.add((Expression) named);
      columns.put(expression.canonicalized(), (Expression) named.toAttribute());
    }
    List<Expression> projected =
        results.stream().map(result -> Calls.replace(result, columns)).toList();
    LogicalPlan grouped = copy(aggregate, grouping, groups, child);
    return ExtractCalls.rewrite(new Project(ExtractCalls.named(projected), grouped));
  }

  private static Alias alias(Expression expression) {
    return new Alias(
        expression,
        expression.prettyName(),
        NamedExpression$.MODULE$.newExprId(),
        ScalaCollections.seq(),
        Option.empty(),
        ScalaCollections.seq());
  }

  private static void collectFunctions(
      Expression expression, Map<Expression, Expression> functions) {
    if (expression instanceof AggregateExpression) {
      functions.putIfAbsent(expression.canonicalized(), expression);
    } else {
      ScalaCollections.list(expression.children())
          .forEach(child -> collectFunctions(child, functions));
    }
  }

  /** By reflection, since the constructor has grown from one Spark to the next. */
  private static LogicalPlan copy(
      Aggregate aggregate, List<Expression> grouping, List<Expression> results, LogicalPlan child) {
    Object[] elements = new Object[aggregate.productArity()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = aggregate.productElement(i);
    }
    elements[0] = ScalaCollections.seq(grouping);
    elements[1] = ExtractCalls.named(results);
    elements[2] = child;
    return (LogicalPlan) aggregate.makeCopy(elements);
  }
}
