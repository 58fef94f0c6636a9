package dev.caldera.spark.sql;

import dev.caldera.spark.interop.ScalaCollections;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.Metadata;

/**
 * Puts the calls of some expressions into {@link BatchInfer} nodes above a plan, and columns in
 * their place.
 *
 * <p>Terms: a call is <i>ready</i> when no input of it holds another call and the plan has all
 * columns that it reads. Calls are the same when their canonical forms are.
 *
 * <p>Steps, until no ready call is left:
 *
 * <ol>
 *   <li>a ready call whose column the plan can already give is replaced ({@link Reuse});
 *   <li>the others become one node, except those that a guard delays because it holds a call
 *       itself; if that delays all, the guards that hold calls are left out;
 *   <li>inputs of a call are guarded: {@code If(condition, input, NULL)}, where the condition is
 *       the disjunction over all places of the call, and none if a place has no condition.
 * </ol>
 */
final class Evaluation {
  private List<Expression> expressions;
  private LogicalPlan plan;

  private Evaluation(List<Expression> expressions, LogicalPlan plan) {
    this.expressions = expressions;
    this.plan = plan;
  }

  /**
   * Evaluates, above {@code plan}, the calls of {@code expressions} that it has the columns for.
   */
  static Evaluation of(List<Expression> expressions, LogicalPlan plan) {
    Evaluation evaluation = new Evaluation(List.copyOf(expressions), plan);
    evaluation.run();
    return evaluation;
  }

  /** The expressions with columns in place of calls. */
  List<Expression> expressions() {
    return expressions;
  }

  /** The plan with the nodes above it; its output begins with the plan's own. */
  LogicalPlan plan() {
    return plan;
  }

  private void run() {
    Map<Expression, List<GuardedCall>> ready = ready();
    while (!ready.isEmpty()) {
      if (!reuse(ready)) {
        evaluate(next(ready));
      }
      ready = ready();
    }
  }

  private Map<Expression, List<GuardedCall>> ready() {
    Map<Expression, List<GuardedCall>> ready = new LinkedHashMap<>();
    for (Expression expression : expressions) {
      for (GuardedCall place : GuardedCall.in(expression)) {
        if (!Calls.isNested(place.call()) && Calls.reads(place.call(), plan.outputSet())) {
          ready.computeIfAbsent(place.call().canonicalized(), key -> new ArrayList<>()).add(place);
        }
      }
    }
    return ready;
  }

  private boolean reuse(Map<Expression, List<GuardedCall>> ready) {
    Map<Expression, Attribute> columns = new LinkedHashMap<>();
    for (Map.Entry<Expression, List<GuardedCall>> same : ready.entrySet()) {
      Optional<Reuse> reuse = Reuse.find(same.getValue().get(0).call(), plan);
      if (reuse.isPresent()) {
        columns.put(same.getKey(), reuse.get().column());
        plan = reuse.get().plan();
      }
    }
    replace(columns);
    return !columns.isEmpty();
  }

  private static Map<Expression, List<GuardedCall>> next(Map<Expression, List<GuardedCall>> ready) {
    Map<Expression, List<GuardedCall>> now = new LinkedHashMap<>();
    ready.forEach(
        (key, places) -> {
          boolean always = places.stream().anyMatch(place -> place.guards().isEmpty());
          if (always || places.stream().noneMatch(GuardedCall::waitsForCall)) {
            now.put(key, places);
          }
        });
    return now.isEmpty() ? ready : now;
  }

  private void evaluate(Map<Expression, List<GuardedCall>> calls) {
    List<Expression> guarded = new ArrayList<>();
    List<Attribute> results = new ArrayList<>();
    Map<Expression, Attribute> columns = new LinkedHashMap<>();
    calls.forEach(
        (key, places) -> {
          ModelCall call = guard(places);
          Attribute result = column(call);
          guarded.add(call);
          results.add(result);
          columns.put(key, result);
        });
    plan = new BatchInfer(ScalaCollections.seq(guarded), ScalaCollections.seq(results), plan);
    replace(columns);
  }

  private static Attribute column(ModelCall call) {
    return new AttributeReference(
        call.name(),
        call.dataType(),
        call.nullable(),
        Metadata.empty(),
        NamedExpression$.MODULE$.newExprId(),
        ScalaCollections.seq());
  }

  private ModelCall guard(List<GuardedCall> places) {
    ModelCall call = places.get(0).call();
    Expression any = null;
    for (GuardedCall place : places) {
      Expression all = null;
      for (Expression guard : place.guards()) {
        if (!Calls.isIn(guard) && Calls.reads(guard, plan.outputSet())) {
          all = all == null ? guard : new And(all, guard);
        }
      }
      if (all == null) {
        return call;
      }
      any = any == null ? all : new Or(any, all);
    }
    Expression condition = any == null ? Literal.TrueLiteral() : any;
    return call.withInputs(
        call.inputs().stream()
            .map(
                input ->
                    (Expression) new If(condition, input, Literal.create(null, input.dataType())))
            .toList());
  }

  private void replace(Map<Expression, Attribute> columns) {
    expressions =
        expressions.stream().map(expression -> Calls.replace(expression, columns)).toList();
  }
}
