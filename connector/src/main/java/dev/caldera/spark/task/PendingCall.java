package dev.caldera.spark.task;

import dev.caldera.engine.Encoder.Embeddings;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.jspecify.annotations.Nullable;

/**
 * The results of a call for a batch, while they are computed and after.
 *
 * @param call what is called, for messages
 * @param request the vectors; null when no row has a text
 * @param vectorOfRow for each row, the number of its vector or -1 where the text is NULL
 */
record PendingCall(
    CallPlan call, @Nullable CompletableFuture<Embeddings> request, int[] vectorOfRow) {

  /** The result for a row, once the vectors are there; null for NULL. */
  @Nullable Object result(@Nullable Embeddings vectors, int row) {
    int vector = vectorOfRow[row];
    if (vector < 0 || vectors == null) {
      return null;
    }
    int start = vector * vectors.width();
    return UnsafeArrayData.fromPrimitiveArray(
        Arrays.copyOfRange(vectors.values(), start, start + vectors.width()));
  }
}
