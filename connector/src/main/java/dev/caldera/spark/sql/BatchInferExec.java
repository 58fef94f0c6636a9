package dev.caldera.spark.sql;

import dev.caldera.spark.config.CalderaConf;
import dev.caldera.spark.config.ConfigEntries;
import dev.caldera.spark.interop.ScalaCollections;
import dev.caldera.spark.task.BatchInferFactory;
import dev.caldera.spark.task.BatchLimits;
import dev.caldera.spark.task.CallPlan;
import dev.caldera.spark.task.InferMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.UnaryExecNode;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag$;

/** Physical node of {@link BatchInfer}: each partition as a stream of batches. */
public final class BatchInferExec extends SparkPlan implements UnaryExecNode {
  private static final int ELEMENTS = 3;

  private final Seq<Expression> calls;
  private final Seq<Attribute> results;
  private final SparkPlan child;
  private transient @Nullable InferMetrics metrics;

  /** A node; see {@link BatchInfer}. */
  public BatchInferExec(Seq<Expression> calls, Seq<Attribute> results, SparkPlan child) {
    this.calls = calls;
    this.results = results;
    this.child = child;
  }

  @Override
  public SparkPlan child() {
    return child;
  }

  @Override
  public Seq<SparkPlan> children() {
    return ScalaCollections.seq(child);
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan other) {
    return new BatchInferExec(calls, results, other);
  }

  @Override
  public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> children) {
    return withNewChildInternal(children.apply(0));
  }

  @Override
  public Seq<Attribute> output() {
    List<Attribute> output = new ArrayList<>(ScalaCollections.list(child.output()));
    output.addAll(ScalaCollections.list(results));
    return ScalaCollections.seq(output);
  }

  @Override
  public AttributeSet producedAttributes() {
    return AttributeSet$.MODULE$.apply(
        ScalaCollections.<Expression>seq(ScalaCollections.list(results)));
  }

  @Override
  public Partitioning outputPartitioning() {
    return child.outputPartitioning();
  }

  @Override
  public Seq<SortOrder> outputOrdering() {
    return child.outputOrdering();
  }

  @Override
  public Map<String, SQLMetric> metrics() {
    return ScalaCollections.map(inferMetrics().byName());
  }

  private synchronized InferMetrics inferMetrics() {
    InferMetrics made = metrics;
    if (made == null) {
      made = InferMetrics.create(sparkContext());
      metrics = made;
    }
    return made;
  }

  @Override
  public RDD<InternalRow> doExecute() {
    CalderaConf conf = CalderaConf.of(ScalaCollections.map(conf().getAllConfs()));
    BatchInferFactory factory =
        new BatchInferFactory(
            ScalaCollections.list(calls).stream().map(call -> plan((ModelCall) call)).toList(),
            child.output(),
            output(),
            new BatchLimits(
                conf.value(ConfigEntries.BATCH_ROWS), conf.value(ConfigEntries.BATCH_BYTES)),
            inferMetrics());
    return child
        .execute()
        .mapPartitionsWithEvaluator(factory, ClassTag$.MODULE$.apply(InternalRow.class));
  }

  private static CallPlan plan(ModelCall call) {
    return new CallPlan(
        call.name(),
        call.model(),
        call.options().values(),
        call.inputs().get(0),
        call.isConstant());
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
    return other instanceof BatchInferExec;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BatchInferExec node
        && calls.equals(node.calls)
        && results.equals(node.results)
        && child.equals(node.child);
  }

  @Override
  public int hashCode() {
    return Objects.hash(calls, results, child);
  }
}
