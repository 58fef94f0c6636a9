package dev.caldera.spark.task;

import dev.caldera.engine.Encoder.Embeddings;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;
import scala.collection.AbstractIterator;

/**
 * The rows of a partition with their results, in order.
 *
 * <p>While a batch is with the engine, the next is read and tokenised; it is handed over when the
 * first has come back and before its rows are emitted. So a task holds two batches at most.
 *
 * <p>Everything runs on the task's thread. Encoders are closed, and requests that are not started
 * cancelled, by a completion listener only: a job that was cancelled without interrupting counts as
 * finished while its tasks still run.
 */
final class BatchInferIterator extends AbstractIterator<InternalRow> {
  private final RowReader reader;
  private final TaskCalls calls;
  private final RowWriter writer;
  private final TaskContext task;

  private @Nullable PendingBatch inFlight;
  private @Nullable PendingBatch done;
  private List<@Nullable Embeddings> results = List.of();
  private int row;

  BatchInferIterator(RowReader reader, TaskCalls calls, RowWriter writer, TaskContext task) {
    this.reader = reader;
    this.calls = calls;
    this.writer = writer;
    this.task = task;
    task.addTaskCompletionListener((TaskCompletionListener) context -> release());
  }

  @Override
  public boolean hasNext() {
    while (done == null || row == done.rows().size()) {
      if (!advance()) {
        return false;
      }
    }
    return true;
  }

  @Override
  public InternalRow next() {
    if (!hasNext() || done == null) {
      throw new NoSuchElementException("Cannot read past the last row");
    }
    List<@Nullable Object> columns = new ArrayList<>(results.size());
    for (int i = 0; i < results.size(); i++) {
      columns.add(done.calls().get(i).result(results.get(i), row));
    }
    return writer.write(done.rows().get(row++), columns);
  }

  /** Makes the batch in flight the one that is emitted; false when there is none left. */
  private boolean advance() {
    task.killTaskIfInterrupted();
    done = null;
    try {
      if (inFlight == null) {
        inFlight = submit(read());
      }
      if (inFlight == null) {
        return false;
      }
      TokenizedBatch following = read();
      List<@Nullable Embeddings> vectors = calls.await(inFlight);
      PendingBatch finished = inFlight;
      inFlight = null;
      inFlight = submit(following);
      results = vectors;
      done = finished;
      row = 0;
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      task.killTaskIfInterrupted();
      throw new IllegalStateException("Cannot wait for the model: the task was interrupted", e);
    }
  }

  private @Nullable TokenizedBatch read() throws InterruptedException {
    RowBatch batch = reader.next();
    return batch == null ? null : calls.tokenize(batch);
  }

  private @Nullable PendingBatch submit(@Nullable TokenizedBatch batch)
      throws InterruptedException {
    return batch == null ? null : calls.submit(batch);
  }

  private void release() {
    PendingBatch dropped = inFlight;
    inFlight = null;
    if (dropped != null) {
      dropped.cancel();
    }
    calls.close();
  }
}
