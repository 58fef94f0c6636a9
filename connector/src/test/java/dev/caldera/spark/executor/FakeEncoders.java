package dev.caldera.spark.executor;

import dev.caldera.engine.Encoder;
import dev.caldera.engine.EncoderOptions;
import dev.caldera.text.TokenBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Encoders without a model, for tests of everything around one. A text's vector is its length, its
 * first letter, and its number if it ends in one. All texts are noted, in the order of evaluation.
 */
public final class FakeEncoders implements EncoderSource {
  /** Columns of a vector. */
  public static final int WIDTH = 3;

  private static final int LETTERS_OF_A_TOKEN = 4;

  private final List<String> evaluated = new ArrayList<>();
  private final Map<Path, AtomicInteger> opened = new ConcurrentHashMap<>();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger requests = new AtomicInteger();
  private volatile String failure = "";
  private volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

  /** The vector of a text. */
  public static float[] vector(String text) {
    String digits = text.replaceAll("^.*?(\\d*)$", "$1");
    return new float[] {
      text.length(),
      text.isEmpty() ? 0 : text.charAt(0),
      digits.isEmpty() ? -1 : Float.parseFloat(digits)
    };
  }

  /** The texts evaluated since the last {@link #reset()}. */
  public synchronized List<String> evaluated() {
    return List.copyOf(evaluated);
  }

  /** Requests since the last {@link #reset()}. */
  public int requests() {
    return requests.get();
  }

  /** Encoders that are not closed. */
  public int open() {
    return open.get();
  }

  /** Forgets what was evaluated, lets requests pass again. */
  public synchronized void reset() {
    evaluated.clear();
    requests.set(0);
    failure = "";
    gate.complete(null);
    gate = CompletableFuture.completedFuture(null);
  }

  /** Makes requests with this text fail. */
  public void failOn(String text) {
    failure = text;
  }

  /** Keeps requests waiting until the next {@link #reset()}. */
  public void hold() {
    gate = new CompletableFuture<>();
  }

  @Override
  public String description() {
    return "device fake: for tests";
  }

  @Override
  public Encoder open(Path folder, EncoderOptions options) {
    opened.computeIfAbsent(folder, key -> new AtomicInteger()).incrementAndGet();
    open.incrementAndGet();
    return new FakeEncoder(folder, options.maxTokens().orElse(Integer.MAX_VALUE));
  }

  @Override
  public void close() {}

  private synchronized void note(List<String> texts) {
    evaluated.addAll(texts);
    requests.incrementAndGet();
  }

  /** Texts are kept beside the tokens: a token batch of the fake stands for them. */
  private final class FakeEncoder implements Encoder {
    private final Path folder;
    private final int maxTokens;
    private final Map<TokenBatch, List<String>> texts = new ConcurrentHashMap<>();
    private boolean closed;

    FakeEncoder(Path folder, int maxTokens) {
      this.folder = folder;
      this.maxTokens = maxTokens;
    }

    @Override
    public int width() {
      return WIDTH;
    }

    @Override
    public ModelFacts facts() {
      return new ModelFacts(
          folder.toString(), folder.getFileName().toString(), "fake", 5_000_000, 1, 0, "none");
    }

    @Override
    public TokenBatch tokenize(List<String> batch) {
      int[] starts = new int[batch.size() + 1];
      int truncated = 0;
      for (int i = 0; i < batch.size(); i++) {
        int tokens = 1 + batch.get(i).length() / LETTERS_OF_A_TOKEN;
        truncated += tokens > maxTokens ? 1 : 0;
        starts[i + 1] = starts[i] + Math.min(tokens, maxTokens);
      }
      TokenBatch tokens = new TokenBatch(new int[starts[batch.size()]], starts, truncated);
      texts.put(tokens, List.copyOf(batch));
      return tokens;
    }

    @Override
    public CompletableFuture<Embeddings> embed(TokenBatch tokens) {
      List<String> batch = Objects.requireNonNull(texts.remove(tokens));
      note(batch);
      if (batch.contains(failure)) {
        return CompletableFuture.failedFuture(
            new IllegalArgumentException("Cannot embed text '" + failure + "'"));
      }
      float[] values = new float[batch.size() * WIDTH];
      for (int i = 0; i < batch.size(); i++) {
        System.arraycopy(vector(batch.get(i)), 0, values, i * WIDTH, WIDTH);
      }
      return gate.thenApply(passed -> new Embeddings(values, WIDTH, 1_000_000, 2_000_000, 1));
    }

    @Override
    public void close() {
      if (closed) {
        throw new IllegalStateException("Cannot close an encoder twice");
      }
      closed = true;
      open.decrementAndGet();
    }
  }
}
