package dev.caldera.spark.task;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * A batch handed to the engine.
 *
 * @param rows the child's rows
 * @param calls the results, in the order of the calls
 */
record PendingBatch(List<InternalRow> rows, List<PendingCall> calls) {

  /** Drops what the engine has not started. */
  void cancel() {
    for (PendingCall call : calls) {
      if (call.request() != null) {
        call.request().cancel(true);
      }
    }
  }
}
