package dev.caldera.spark.task;

import dev.caldera.text.TokenBatch;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;

/**
 * A batch ready to be handed to the engine.
 *
 * @param rows the child's rows
 * @param calls the tokens, in the order of the calls
 */
record TokenizedBatch(List<InternalRow> rows, List<TokenizedCall> calls) {

  /**
   * The tokens of a call.
   *
   * @param tokens of the rows that have a text; null when there is none, or the vector is known
   * @param vectorOfRow for each row, the number of its vector or -1 where the text is NULL
   */
  record TokenizedCall(@Nullable TokenBatch tokens, int[] vectorOfRow) {}
}
