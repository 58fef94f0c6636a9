package dev.caldera.spark;

import dev.caldera.spark.interop.ScalaCollections;
import dev.caldera.spark.sql.CalderaStrategy;
import dev.caldera.spark.sql.CheckCalls;
import dev.caldera.spark.sql.ModelCallBuilder;
import dev.caldera.spark.sql.ModelFunction;
import dev.caldera.spark.sql.RelinkRule;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import scala.Tuple3;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * What Caldera adds to a session; {@code spark.sql.extensions} names it, or the plugin does.
 *
 * <p>In the order in which they meet a query:
 *
 * <ol>
 *   <li>functions ({@link ModelFunction}): the analyzer resolves {@code ai_embed(...)} and has
 *       {@link ModelCallBuilder} make a {@code ModelCall}; wrong models, options and settings are
 *       errors here;
 *   <li>check rule ({@link CheckCalls}): at the end of analysis, refuses calls that could be
 *       evaluated nowhere;
 *   <li>Spark's optimizer, which knows a call only as an expression that cannot be evaluated;
 *   <li>planner strategy ({@link CalderaStrategy}): before Spark's own strategies, moves calls into
 *       {@code BatchInfer} nodes and plans those as {@code BatchInferExec};
 *   <li>post-planner rule ({@link RelinkRule}): adaptive execution goes on from the plan with the
 *       nodes.
 * </ol>
 */
public final class CalderaExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    for (ModelFunction function : ModelFunction.values()) {
      extensions.injectFunction(
          new Tuple3<>(
              FunctionIdentifier.apply(function.sqlName()),
              function.description(),
              new ModelCallBuilder(function)));
    }
    extensions.injectCheckRule(ScalaCollections.function(session -> new CheckCalls()));
    extensions.injectPlannerStrategy(ScalaCollections.function(session -> new CalderaStrategy()));
    extensions.injectQueryPostPlannerStrategyRule(
        ScalaCollections.function(session -> new RelinkRule()));
    return BoxedUnit.UNIT;
  }
}
