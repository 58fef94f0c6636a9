package dev.caldera.spark.sql;

import dev.caldera.spark.interop.ScalaCollections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/** Looks for calls in expressions and plans, and puts columns in their place. */
final class Calls {
  private Calls() {}

  /**
   * Whether a plan or one beneath it holds a call. Plans of subqueries are planned on their own.
   */
  static boolean isIn(LogicalPlan plan) {
    return plan.containsPattern(ModelCall.PATTERN)
        && (areIn(plan) || ScalaCollections.list(plan.children()).stream().anyMatch(Calls::isIn));
  }

  /** Whether a node's own expressions hold a call that is yet to be moved. */
  static boolean areIn(LogicalPlan node) {
    return !(node instanceof BatchInfer)
        && ScalaCollections.list(node.expressions()).stream().anyMatch(Calls::isIn);
  }

  /** Whether an expression holds a call. */
  static boolean isIn(Expression expression) {
    return expression.containsPattern(ModelCall.PATTERN)
        && (expression instanceof ModelCall
            || ScalaCollections.list(expression.children()).stream().anyMatch(Calls::isIn));
  }

  /** Whether one of the inputs of a call holds another. */
  static boolean isNested(ModelCall call) {
    return call.inputs().stream().anyMatch(Calls::isIn);
  }

  /** Puts columns in the place of calls, or of other expressions, by their canonical form. */
  static Expression replace(Expression expression, Map<Expression, ? extends Expression> columns) {
    Expression column = columns.get(expression.canonicalized());
    if (column != null) {
      return column;
    }
    return (Expression)
        expression.mapChildren(ScalaCollections.function(child -> replace(child, columns)));
  }

  /** The column that {@code node} holds for a call that every row takes. */
  static Optional<Attribute> resultOf(BatchInfer node, ModelCall call) {
    List<ModelCall> calls = node.calls();
    for (int i = 0; i < calls.size(); i++) {
      if (calls.get(i).semanticEquals(call)) {
        return Optional.of(node.results().get(i));
      }
    }
    return Optional.empty();
  }

  /** Whether everything that an expression reads is among {@code columns}. */
  static boolean reads(Expression expression, AttributeSet columns) {
    return expression.references().subsetOf(columns);
  }
}
