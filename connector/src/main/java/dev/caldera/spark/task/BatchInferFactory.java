package dev.caldera.spark.task;

import java.util.List;
import org.apache.spark.PartitionEvaluator;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/** Travels to executors and makes the iterator of each partition. Captures nothing of the plan. */
public final class BatchInferFactory
    implements PartitionEvaluatorFactory<InternalRow, InternalRow> {
  private final List<CallPlan> calls;
  private final Seq<Attribute> input;
  private final Seq<Attribute> output;
  private final BatchLimits limits;
  private final InferMetrics metrics;

  /**
   * A factory.
   *
   * @param calls one result column each
   * @param input columns of the child
   * @param output columns of the child, then results
   * @param limits where a batch ends
   * @param metrics of the plan node
   */
  public BatchInferFactory(
      List<CallPlan> calls,
      Seq<Attribute> input,
      Seq<Attribute> output,
      BatchLimits limits,
      InferMetrics metrics) {
    this.calls = List.copyOf(calls);
    this.input = input;
    this.output = output;
    this.limits = limits;
    this.metrics = metrics;
  }

  @Override
  public PartitionEvaluator<InternalRow, InternalRow> createEvaluator() {
    return (partition, inputs) -> rows(partition, inputs.apply(0));
  }

  private Iterator<InternalRow> rows(int partition, Iterator<InternalRow> rows) {
    TaskContext task = TaskContext.get();
    TaskCalls taskCalls = new TaskCalls(calls, metrics, task);
    RowReader reader = new RowReader(rows, calls, input, limits, partition);
    return new BatchInferIterator(reader, taskCalls, new RowWriter(output, partition), task);
  }
}
