package dev.caldera.engine;

import dev.caldera.text.TokenBatch;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One holder's share of a loaded model. */
final class EncoderHandle implements Encoder {
  private final LoadedEncoder model;
  private final RequestQueue queue;
  private final Counters counters;
  private final Supplier<ModelFacts> facts;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** A share of {@code model}, which is held for it already. */
  EncoderHandle(
      LoadedEncoder model, RequestQueue queue, Counters counters, Supplier<ModelFacts> facts) {
    this.model = model;
    this.queue = queue;
    this.counters = counters;
    this.facts = facts;
  }

  @Override
  public int width() {
    return model.width();
  }

  @Override
  public ModelFacts facts() {
    return facts.get();
  }

  @Override
  public TokenBatch tokenize(List<String> texts) {
    checkOpen();
    return model.tokenize(texts);
  }

  @Override
  public CompletableFuture<Embeddings> embed(TokenBatch tokens) throws InterruptedException {
    checkOpen();
    model.check(tokens);
    Request request = new Request(model, tokens);
    counters.requests.increment();
    counters.truncated.add(tokens.truncated());
    if (tokens.texts() == 0) {
      request.future().complete(new Embeddings(new float[0], width(), 0, 0, 0));
      return request.future();
    }
    model.hold();
    boolean handedOver = false;
    try {
      queue.put(request);
      handedOver = true;
    } finally {
      if (!handedOver) {
        model.release();
      }
    }
    request.future().whenComplete((vectors, failure) -> ended(request, failure));
    return request.future();
  }

  private void ended(Request request, @Nullable Throwable failure) {
    if (failure != null) {
      counters.failed.increment();
      queue.drop(request);
    }
    model.release();
  }

  private void checkOpen() {
    if (closed.get()) {
      throw new IllegalStateException(
          "Cannot use the encoder of model " + model.name() + ": it is closed");
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      model.release();
    }
  }
}
