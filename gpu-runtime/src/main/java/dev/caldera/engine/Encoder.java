package dev.caldera.engine;

import dev.caldera.text.TokenBatch;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * An encoder model loaded on one device, shared by all tasks of the process.
 *
 * <pre>{@code
 * try (Encoder encoder = engine.encoder(ModelFolder.open(path), EncoderOptions.defaults())) {
 *   TokenBatch tokens = encoder.tokenize(List.of("a good book", "a bad one"));
 *   Embeddings vectors = encoder.embed(tokens).get();
 * }
 * }</pre>
 *
 * <p>Thread-safe. Closing gives back this holder's share; the model leaves the device when nobody
 * holds it and room is needed.
 */
public interface Encoder extends AutoCloseable {

  /** Columns of a vector. */
  int width();

  /** Facts for logs and metrics. */
  ModelFacts facts();

  /** Tokenises on the calling thread, special tokens added, cut at the model's maximum length. */
  TokenBatch tokenize(List<String> texts);

  /**
   * Hands texts to the engine; blocks while too much is waiting (back-pressure).
   *
   * @return vectors in the order of the texts; completes exceptionally with {@link
   *     dev.caldera.memory.OutOfDeviceMemoryException} when even one text does not fit, or {@link
   *     java.util.concurrent.CancellationException} when the engine is closed. Cancelling it drops
   *     what has not yet been put in a batch.
   * @throws InterruptedException if interrupted while blocked; nothing was handed over then
   */
  CompletableFuture<Embeddings> embed(TokenBatch tokens) throws InterruptedException;

  @Override
  void close();

  /**
   * The vectors of a request.
   *
   * @param values row-major [texts, width]
   * @param width columns
   * @param deviceNanos this request's share of device time
   * @param waitNanos from hand-over to the start of its first batch
   * @param batches batches that carried a part of it
   */
  record Embeddings(float[] values, int width, long deviceNanos, long waitNanos, int batches) {}

  /**
   * Facts about a loaded model.
   *
   * @param model name or path
   * @param revision identity of its content
   * @param device name of the device
   * @param loadNanos time that loading took; the same for all holders
   * @param uploads how often its weights were uploaded to the device: 1 unless evicted
   * @param weightBytes bytes of its weights on the device
   * @param planSummary memory plan of the engine's largest bucket, one line
   */
  record ModelFacts(
      String model,
      String revision,
      String device,
      long loadNanos,
      long uploads,
      long weightBytes,
      String planSummary) {}
}
