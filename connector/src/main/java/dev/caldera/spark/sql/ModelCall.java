package dev.caldera.spark.sql;

import dev.caldera.spark.executor.ModelReference;
import dev.caldera.spark.interop.ScalaCollections;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult.TypeCheckFailure;
import org.apache.spark.sql.catalyst.expressions.ExpectsInputTypes;
import org.apache.spark.sql.catalyst.expressions.ExpectsInputTypes$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedLambdaVariable;
import org.apache.spark.sql.catalyst.expressions.Unevaluable;
import org.apache.spark.sql.catalyst.expressions.UserDefinedExpression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.trees.TreePattern;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.DataType;
import scala.Enumeration;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * A call of a model in a query. It is never evaluated where it stands: {@link ExtractCalls} moves
 * it into a {@link BatchInfer} below.
 *
 * <p>Model and options are constants, settled when the query is analysed; the inputs are the
 * children. The constructor's parameters equal the product's elements, since Spark copies
 * expressions by reflection.
 */
public final class ModelCall extends Expression
    implements Unevaluable, ExpectsInputTypes, UserDefinedExpression, Serializable {
  /** What trees with a call in them are marked by, so that others are passed over quickly. */
  static final Enumeration.Value PATTERN = TreePattern.SCALA_UDF();

  private static final int ELEMENTS = 4;

  private final ModelFunction function;
  private final ModelReference model;
  private final CallOptions options;
  private final Seq<Expression> inputs;

  /** A call. */
  public ModelCall(
      ModelFunction function, ModelReference model, CallOptions options, Seq<Expression> inputs) {
    this.function = function;
    this.model = model;
    this.options = options;
    this.inputs = inputs;
  }

  ModelFunction function() {
    return function;
  }

  ModelReference model() {
    return model;
  }

  CallOptions options() {
    return options;
  }

  List<Expression> inputs() {
    return ScalaCollections.list(inputs);
  }

  /** The same call with other inputs. */
  ModelCall withInputs(List<Expression> others) {
    return new ModelCall(function, model, options, ScalaCollections.seq(others));
  }

  /** Whether it gives the same for every row. */
  boolean isConstant() {
    return inputs().stream().allMatch(Expression::foldable);
  }

  @Override
  public String name() {
    return function.sqlName();
  }

  @Override
  public String prettyName() {
    return function.sqlName();
  }

  @Override
  public DataType dataType() {
    return function.resultType();
  }

  @Override
  public boolean nullable() {
    return inputs().stream().anyMatch(Expression::nullable);
  }

  @Override
  public boolean foldable() {
    return false;
  }

  @Override
  public Seq<Enumeration.Value> nodePatterns() {
    return ScalaCollections.seq(PATTERN);
  }

  @Override
  public Seq<AbstractDataType> inputTypes() {
    return ScalaCollections.seq(function.inputTypes());
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    if (inputs().stream().anyMatch(ModelCall::holdsLambdaVariable)) {
      return new TypeCheckFailure(
          "Cannot call "
              + name()
              + " inside a lambda function: it runs on batches of rows; explode the array and call"
              + " it on the elements");
    }
    return ExpectsInputTypes$.MODULE$.checkInputDataTypes(children(), inputTypes());
  }

  private static boolean holdsLambdaVariable(Expression expression) {
    return expression instanceof NamedLambdaVariable
        || ScalaCollections.list(expression.children()).stream()
            .anyMatch(ModelCall::holdsLambdaVariable);
  }

  @Override
  public Object eval(InternalRow input) {
    throw new UnsupportedOperationException("Cannot evaluate " + this + " row by row");
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    throw new UnsupportedOperationException("Cannot generate code for " + this);
  }

  @Override
  public Seq<Expression> children() {
    return inputs;
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
    return new ModelCall(function, model, options, children);
  }

  @Override
  public int productArity() {
    return ELEMENTS;
  }

  @Override
  public Object productElement(int index) {
    return switch (index) {
      case 0 -> function;
      case 1 -> model;
      case 2 -> options;
      case 3 -> inputs;
      default -> throw new IndexOutOfBoundsException(index);
    };
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof ModelCall;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ModelCall call
        && function == call.function
        && model.equals(call.model)
        && options.equals(call.options)
        && inputs.equals(call.inputs);
  }

  @Override
  public int hashCode() {
    return Objects.hash(function, model, options, inputs);
  }

  @Override
  public String sql() {
    return render(Expression::sql);
  }

  @Override
  public String toString() {
    return render(Expression::toString);
  }

  private String render(java.util.function.Function<Expression, String> child) {
    StringBuilder text = new StringBuilder(name()).append("('").append(model.name()).append('\'');
    inputs().forEach(input -> text.append(", ").append(child.apply(input)));
    options.values().forEach((key, value) -> text.append(", ").append(key + " => '" + value + "'"));
    return text.append(')').toString();
  }
}
