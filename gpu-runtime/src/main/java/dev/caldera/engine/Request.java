package dev.caldera.engine;

import dev.caldera.engine.Encoder.Embeddings;
import dev.caldera.text.TokenBatch;
import java.nio.FloatBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Texts that one caller handed over, until their vectors are complete. Which texts are already in a
 * batch is guarded by the queue's lock; results are guarded by the request's own.
 */
final class Request {
  private final EncoderModel model;
  private final TokenBatch tokens;
  private final CompletableFuture<Embeddings> future = new CompletableFuture<>();

  // Guarded by the queue's lock.
  private int next;
  private int permits;
  private int turnTokens;

  // Guarded by this.
  private float @Nullable [] values;
  private int missing;
  private long handedOver;
  private long waitNanos;
  private long deviceNanos;
  private int batches;

  Request(EncoderModel model, TokenBatch tokens) {
    this.model = model;
    this.tokens = tokens;
    this.missing = tokens.texts();
  }

  EncoderModel model() {
    return model;
  }

  TokenBatch tokens() {
    return tokens;
  }

  CompletableFuture<Embeddings> future() {
    return future;
  }

  /** Whether its future is completed, for whatever reason. */
  boolean isDone() {
    return future.isDone();
  }

  /** Notes that it waits from now on, holding {@code permits} tokens of the queue's room. */
  void admitted(int permits) {
    this.permits = permits;
    synchronized (this) {
      handedOver = System.nanoTime();
    }
  }

  /** Whether texts are left that are in no batch. */
  boolean hasNext() {
    return next < tokens.texts();
  }

  /** The first text that is in no batch. */
  int next() {
    return next;
  }

  /** Tokens of text {@code text}. */
  int length(int text) {
    return tokens.starts()[text + 1] - tokens.starts()[text];
  }

  /** Tokens of all texts that are in no batch. */
  int waitingTokens() {
    return tokens.tokens() - tokens.starts()[next];
  }

  /** Tokens taken since its turn began. */
  int turnTokens() {
    return turnTokens;
  }

  /** Ends its turn. */
  void endTurn() {
    turnTokens = 0;
  }

  /** Puts the next text in a batch. */
  void advance() {
    turnTokens += length(next);
    next++;
  }

  /** Gives back room for {@code tokens} tokens; answers how many permits that are. */
  int releasePermits(int tokens) {
    int released = Math.min(permits, tokens);
    permits -= released;
    return released;
  }

  /** Notes that a batch with texts of this request starts; answers the wait if it is the first. */
  synchronized long batchStarted(long now) {
    batches++;
    if (batches > 1) {
      return 0;
    }
    waitNanos = now - handedOver;
    return waitNanos;
  }

  /**
   * Takes the vectors of texts {@code [from, to)} from {@code rows}, which it advances; completes
   * the future with the last of them.
   */
  void deliver(int from, int to, FloatBuffer rows, long deviceShare) {
    int width = model.width();
    Embeddings complete = null;
    synchronized (this) {
      if (values == null) {
        values = new float[Math.multiplyExact(tokens.texts(), width)];
      }
      rows.get(values, from * width, (to - from) * width);
      deviceNanos += deviceShare;
      missing -= to - from;
      if (missing == 0) {
        complete = new Embeddings(values, width, deviceNanos, waitNanos, batches);
      }
    }
    if (complete != null) {
      future.complete(complete);
    }
  }
}
