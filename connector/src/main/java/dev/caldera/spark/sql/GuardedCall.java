package dev.caldera.spark.sql;

import dev.caldera.spark.interop.ScalaCollections;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.CaseWhen;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import scala.Tuple2;

/**
 * A place where a call stands, and the conditions under which a row gets there.
 *
 * <p>Conditions come from {@code CASE}, {@code IF}, {@code COALESCE}, {@code AND} and {@code OR}.
 * They are never NULL. One that is not deterministic is left out, since it could differ when it is
 * evaluated a second time: the call is then evaluated for more rows than need it.
 *
 * @param call the call
 * @param guards all hold for a row that gets there
 */
record GuardedCall(ModelCall call, List<Expression> guards) {

  /** All places of calls in an expression, calls inside inputs of calls too. */
  static List<GuardedCall> in(Expression expression) {
    List<GuardedCall> found = new ArrayList<>();
    collect(expression, List.of(), found);
    return found;
  }

  private static void collect(
      Expression expression, List<Expression> guards, List<GuardedCall> found) {
    if (!Calls.isIn(expression)) {
      return;
    }
    if (expression instanceof ModelCall call) {
      found.add(new GuardedCall(call, guards));
      call.inputs().forEach(input -> collect(input, guards, found));
    } else if (expression instanceof And and) {
      collect(and.left(), guards, found);
      collect(and.right(), and(guards, not(equal(and.left(), Literal.FalseLiteral()))), found);
    } else if (expression instanceof Or or) {
      collect(or.left(), guards, found);
      collect(or.right(), and(guards, not(isTrue(or.left()))), found);
    } else if (expression instanceof If branch) {
      collect(branch.predicate(), guards, found);
      collect(branch.trueValue(), and(guards, isTrue(branch.predicate())), found);
      collect(branch.falseValue(), and(guards, not(isTrue(branch.predicate()))), found);
    } else if (expression instanceof CaseWhen branches) {
      collectBranches(branches, guards, found);
    } else if (expression instanceof Coalesce choice) {
      List<Expression> reached = guards;
      for (Expression child : ScalaCollections.list(choice.children())) {
        collect(child, reached, found);
        reached = and(reached, new IsNull(child));
      }
    } else {
      ScalaCollections.list(expression.children()).forEach(child -> collect(child, guards, found));
    }
  }

  private static void collectBranches(
      CaseWhen branches, List<Expression> guards, List<GuardedCall> found) {
    List<Expression> reached = guards;
    for (Tuple2<Expression, Expression> branch : ScalaCollections.list(branches.branches())) {
      collect(branch._1(), reached, found);
      collect(branch._2(), and(reached, isTrue(branch._1())), found);
      reached = and(reached, not(isTrue(branch._1())));
    }
    if (branches.elseValue().isDefined()) {
      collect(branches.elseValue().get(), reached, found);
    }
  }

  private static List<Expression> and(List<Expression> guards, Expression guard) {
    if (!guard.deterministic()) {
      return guards;
    }
    List<Expression> more = new ArrayList<>(guards);
    more.add(guard);
    return List.copyOf(more);
  }

  private static Expression isTrue(Expression condition) {
    return equal(condition, Literal.TrueLiteral());
  }

  private static Expression equal(Expression condition, Expression value) {
    return new EqualNullSafe(condition, value);
  }

  private static Expression not(Expression condition) {
    return new Not(condition);
  }

  /** Whether a guard can only be evaluated after another call. */
  boolean waitsForCall() {
    return guards.stream().anyMatch(Calls::isIn);
  }
}
