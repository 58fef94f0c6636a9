package dev.caldera.spark.task;

import dev.caldera.engine.Encoder;
import dev.caldera.engine.Encoder.Embeddings;
import dev.caldera.spark.executor.ExecutorRuntime;
import dev.caldera.spark.executor.TaskEncoder;
import dev.caldera.spark.task.TokenizedBatch.TokenizedCall;
import dev.caldera.text.TokenBatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a plan node in one task: their encoders, opened when the first text comes, and the
 * vectors of constant texts, computed once.
 *
 * <p>Only the task's thread uses it. Closing it twice does nothing the second time.
 */
final class TaskCalls implements AutoCloseable {
  private static final long KILL_CHECK_MILLIS = 50;

  private final List<CallPlan> calls;
  private final InferMetrics metrics;
  private final TaskContext task;
  private final @Nullable Encoder[] encoders;
  private final @Nullable CompletableFuture<Embeddings>[] constants;

  @SuppressWarnings({"unchecked", "rawtypes"})
  TaskCalls(List<CallPlan> calls, InferMetrics metrics, TaskContext task) {
    this.calls = calls;
    this.metrics = metrics;
    this.task = task;
    this.encoders = new Encoder[calls.size()];
    this.constants = new CompletableFuture[calls.size()];
  }

  int size() {
    return calls.size();
  }

  InferMetrics metrics() {
    return metrics;
  }

  /** Tokenises the texts of a batch. */
  TokenizedBatch tokenize(RowBatch batch) throws InterruptedException {
    List<TokenizedCall> tokenized = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      tokenized.add(tokenize(i, batch.texts().get(i)));
    }
    return new TokenizedBatch(batch.rows(), tokenized);
  }

  private TokenizedCall tokenize(int call, List<@Nullable String> texts)
      throws InterruptedException {
    int[] vectorOfRow = new int[texts.size()];
    List<String> present = new ArrayList<>(texts.size());
    boolean constant = calls.get(call).constant();
    for (int row = 0; row < vectorOfRow.length; row++) {
      String text = texts.get(row);
      if (text == null) {
        vectorOfRow[row] = -1;
      } else if (!constant || present.isEmpty()) {
        vectorOfRow[row] = present.size();
        present.add(text);
      }
    }
    if (present.isEmpty() || constants[call] != null) {
      return new TokenizedCall(null, vectorOfRow);
    }
    Encoder encoder = encoder(call);
    long start = System.nanoTime();
    TokenBatch tokens = encoder.tokenize(present);
    metrics.tokenized(
        tokens.texts(), tokens.tokens(), tokens.truncated(), System.nanoTime() - start);
    return new TokenizedCall(tokens, vectorOfRow);
  }

  /** Hands a batch to the engine; blocks while too much is waiting there. */
  PendingBatch submit(TokenizedBatch batch) throws InterruptedException {
    List<PendingCall> pending = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      TokenizedCall call = batch.calls().get(i);
      CompletableFuture<Embeddings> request = constants[i];
      if (call.tokens() != null) {
        request = encoder(i).embed(call.tokens());
        if (calls.get(i).constant()) {
          constants[i] = request;
        }
      }
      pending.add(new PendingCall(calls.get(i), request, call.vectorOfRow()));
    }
    metrics.batch(batch.rows().size());
    return new PendingBatch(batch.rows(), pending);
  }

  /** Waits for a batch: for each call its vectors, or null where no row has a text. */
  List<@Nullable Embeddings> await(PendingBatch batch) throws InterruptedException {
    List<@Nullable Embeddings> results = new ArrayList<>();
    long start = System.nanoTime();
    for (PendingCall call : batch.calls()) {
      boolean counted = call.request() != null && !isKnownConstant(call);
      Embeddings vectors = call.request() == null ? null : await(call, call.request());
      if (counted && vectors != null) {
        metrics.computed(vectors);
      }
      results.add(vectors);
    }
    metrics.waited(System.nanoTime() - start);
    return results;
  }

  private boolean isKnownConstant(PendingCall call) {
    return call.call().constant() && call.request() != null && call.request().isDone();
  }

  /** Looks between waits whether the task was killed, since a kill need not interrupt. */
  private Embeddings await(PendingCall call, CompletableFuture<Embeddings> request)
      throws InterruptedException {
    while (true) {
      try {
        return request.get(KILL_CHECK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        task.killTaskIfInterrupted();
      } catch (java.util.concurrent.ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        throw new IllegalStateException(
            "Cannot run "
                + call.call().function()
                + " with model "
                + call.call().model()
                + ": "
                + cause.getMessage(),
            cause);
      }
    }
  }

  private Encoder encoder(int call) throws InterruptedException {
    Encoder open = encoders[call];
    if (open != null) {
      return open;
    }
    CallPlan plan = calls.get(call);
    try {
      TaskEncoder taken = ExecutorRuntime.current().encoder(plan.model(), plan.encoderOptions());
      encoders[call] = taken.encoder();
      metrics.loaded(taken.loads(), taken.loadNanos());
      return taken.encoder();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    for (int i = 0; i < encoders.length; i++) {
      Encoder open = encoders[i];
      encoders[i] = null;
      if (open != null) {
        open.close();
      }
    }
    Arrays.fill(constants, null);
  }
}
