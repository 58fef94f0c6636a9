package dev.caldera.spark.sql;

import dev.caldera.spark.interop.ScalaCollections;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.UnaryNode;
import scala.Option;
import scala.collection.immutable.Seq;

/**
 * Logical node that evaluates calls for every row of its child and adds a column for each. An input
 * that is NULL is not sent to the model and gives NULL, which is also how a call in a branch is
 * guarded: its input is NULL for rows that do not take the branch.
 */
public final class BatchInfer extends LogicalPlan implements UnaryNode, Serializable {
  private static final int ELEMENTS = 3;

  private final Seq<Expression> calls;
  private final Seq<Attribute> results;
  private final LogicalPlan child;

  /** A node; {@code calls} are {@link ModelCall}s and {@code results} their columns. */
  public BatchInfer(Seq<Expression> calls, Seq<Attribute> results, LogicalPlan child) {
    this.calls = calls;
    this.results = results;
    this.child = child;
  }

  List<ModelCall> calls() {
    return ScalaCollections.list(calls).stream().map(ModelCall.class::cast).toList();
  }

  List<Attribute> results() {
    return ScalaCollections.list(results);
  }

  /** The physical node over a planned child. */
  BatchInferExec over(org.apache.spark.sql.execution.SparkPlan planned) {
    return new BatchInferExec(calls, results, planned);
  }

  @Override
  public LogicalPlan child() {
    return child;
  }

  @Override
  public Seq<LogicalPlan> children() {
    return ScalaCollections.seq(child);
  }

  @Override
  public LogicalPlan withNewChildInternal(LogicalPlan other) {
    return new BatchInfer(calls, results, other);
  }

  @Override
  public LogicalPlan withNewChildrenInternal(
      scala.collection.immutable.IndexedSeq<LogicalPlan> children) {
    return withNewChildInternal(children.apply(0));
  }

  @Override
  public Seq<Attribute> output() {
    List<Attribute> output = new ArrayList<>(ScalaCollections.list(child.output()));
    output.addAll(results());
    return ScalaCollections.seq(output);
  }

  @Override
  public AttributeSet producedAttributes() {
    return AttributeSet$.MODULE$.apply(
        ScalaCollections.<Expression>seq(ScalaCollections.list(results)));
  }

  @Override
  public Option<Object> maxRows() {
    return child.maxRows();
  }

  @Override
  public Option<Object> maxRowsPerPartition() {
    return child.maxRowsPerPartition();
  }

  @Override
  public Seq<SortOrder> outputOrdering() {
    return child.outputOrdering();
  }

  @Override
  public int productArity() {
    return ELEMENTS;
  }

  @Override
  public Object productElement(int index) {
    return switch (index) {
      case 0 -> calls;
      case 1 -> results;
      case 2 -> child;
      default -> throw new IndexOutOfBoundsException(index);
    };
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof BatchInfer;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BatchInfer node
        && calls.equals(node.calls)
        && results.equals(node.results)
        && child.equals(node.child);
  }

  @Override
  public int hashCode() {
    return Objects.hash(calls, results, child);
  }
}
