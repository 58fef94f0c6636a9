package dev.caldera.spark.task;

import dev.caldera.spark.interop.ScalaCollections;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/** Joins rows with their results. The row it returns is used again for the next. */
final class RowWriter {
  private final JoinedRow joined = new JoinedRow();
  private final UnsafeProjection projection;

  RowWriter(Seq<Attribute> output, int partition) {
    DataType[] types =
        ScalaCollections.list(output).stream().map(Attribute::dataType).toArray(DataType[]::new);
    projection = UnsafeProjection.create(types);
    projection.initialize(partition);
  }

  InternalRow write(InternalRow row, List<? extends @Nullable Object> results) {
    return projection.apply(joined.apply(row, new GenericInternalRow(results.toArray())));
  }
}
