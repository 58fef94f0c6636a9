package dev.caldera.spark.task;

import dev.caldera.spark.interop.ScalaCollections;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;

/** Reads the child's rows into batches, on the task's thread. */
final class RowReader {
  private final Iterator<InternalRow> rows;
  private final int calls;
  private final BatchLimits limits;
  private final UnsafeProjection texts;
  private final UnsafeProjection whole;

  RowReader(
      Iterator<InternalRow> rows,
      List<CallPlan> calls,
      scala.collection.immutable.Seq<Attribute> input,
      BatchLimits limits,
      int partition) {
    this.rows = rows;
    this.calls = calls.size();
    this.limits = limits;
    List<Expression> inputs = calls.stream().map(CallPlan::text).toList();
    this.texts = UnsafeProjection.create(ScalaCollections.seq(inputs), input);
    this.texts.initialize(partition);
    this.whole =
        UnsafeProjection.create(
            ScalaCollections.<Expression>seq(ScalaCollections.list(input)), input);
    this.whole.initialize(partition);
  }

  /** The next batch, or null after the last row. */
  @Nullable RowBatch next() {
    if (!rows.hasNext()) {
      return null;
    }
    RowBatch batch = RowBatch.forCalls(calls);
    long bytes = 0;
    while (batch.rows().size() < limits.rows() && bytes < limits.bytes() && rows.hasNext()) {
      InternalRow row = rows.next();
      bytes += add(batch, row);
    }
    return batch;
  }

  /** Copies a row, since the child uses the same object for the next. */
  private long add(RowBatch batch, InternalRow row) {
    UnsafeRow copy = row instanceof UnsafeRow unsafe ? unsafe.copy() : whole.apply(row).copy();
    batch.rows().add(copy);
    UnsafeRow inputs = texts.apply(copy);
    for (int i = 0; i < calls; i++) {
      batch.texts().get(i).add(inputs.isNullAt(i) ? null : inputs.getUTF8String(i).toString());
    }
    return copy.getSizeInBytes();
  }
}
