package dev.caldera.spark.task;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * Rows that go to the models together, with the text that each call has for each row.
 *
 * @param rows copies of the child's rows
 * @param texts for each call, a text or null for each row
 */
record RowBatch(List<InternalRow> rows, List<List<@Nullable String>> texts) {

  /** An empty batch for so many calls. */
  static RowBatch forCalls(int calls) {
    List<List<@Nullable String>> texts = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      texts.add(new ArrayList<>());
    }
    return new RowBatch(new ArrayList<>(), texts);
  }
}
