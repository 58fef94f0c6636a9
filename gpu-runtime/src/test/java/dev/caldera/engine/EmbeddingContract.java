package dev.caldera.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.backend.Device;
import dev.caldera.model.ModelFolder;
import dev.caldera.testing.MiniLm;
import dev.caldera.testing.OnnxRuntimeOracle;
import dev.caldera.text.TokenBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What embeddings of the real MiniLM must be on every device: right, and the same each time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EmbeddingContract {
  private static final int WIDTH = 384;
  private static final double LEAST_COSINE = 0.99999;

  private Device device;
  private Engine engine;
  private Encoder encoder;

  /** Opens the device. */
  abstract Device openDevice();

  /** Texts to compare with ONNX Runtime. */
  abstract List<String> compared();

  /** Texts to embed in several ways, whose bits must be equal. */
  abstract List<String> repeated();

  @BeforeAll
  void load() throws InterruptedException {
    device = openDevice();
    engine = Engine.open(device, EngineOptions.defaults());
    encoder = engine.encoder(ModelFolder.open(MiniLm.folder()), EncoderOptions.defaults());
  }

  @AfterAll
  void closeAndCountWhatIsLeft() {
    if (engine == null) {
      return;
    }
    encoder.close();
    engine.close();
    assertThat(device.counters().liveBuffers()).isZero();
    device.close();
  }

  @Test
  void everyTextIsEmbeddedAsOnnxRuntimeDoes() throws Exception {
    TokenBatch tokens = encoder.tokenize(compared());
    float[] found = encoder.embed(tokens).get().values();
    float[][] expected;
    try (OnnxRuntimeOracle oracle = OnnxRuntimeOracle.open(MiniLm.onnx(), 1)) {
      expected = oracle.embed(tokens);
    }
    for (int text = 0; text < expected.length; text++) {
      assertThat(OnnxRuntimeOracle.cosine(row(found, text), expected[text]))
          .describedAs("text %d: %s", text, compared().get(text))
          .isGreaterThanOrEqualTo(LEAST_COSINE);
    }
  }

  @Test
  void theSameTextHasTheSameBitsAloneTogetherShuffledAndFromEightThreads() throws Exception {
    List<String> texts = repeated();
    float[] together = embed(texts);

    for (int text = 0; text < texts.size(); text++) {
      assertThat(embed(texts.subList(text, text + 1)))
          .describedAs("alone: %s", texts.get(text))
          .isEqualTo(row(together, text));
    }

    List<Integer> order = new ArrayList<>(IntStream.range(0, texts.size()).boxed().toList());
    Collections.shuffle(order, new Random(5));
    float[] shuffled = embed(order.stream().map(texts::get).toList());
    for (int i = 0; i < order.size(); i++) {
      assertThat(row(shuffled, i)).isEqualTo(row(together, order.get(i)));
    }

    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<float[]>> slices = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        List<String> slice = texts.subList(start(texts, thread), start(texts, thread + 1));
        slices.add(threads.submit(() -> embed(slice)));
      }
      for (int thread = 0; thread < 8; thread++) {
        assertThat(slices.get(thread).get())
            .isEqualTo(
                Arrays.copyOfRange(
                    together, WIDTH * start(texts, thread), WIDTH * start(texts, thread + 1)));
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void noBatchAllocatesAnythingNorUploadsWeightsAgain() throws Exception {
    List<String> texts = repeated().subList(0, 10);
    long before = device.counters().allocations();
    embed(texts);
    embed(texts);
    assertThat(device.counters().allocations()).isEqualTo(before);
    assertThat(encoder.facts().uploads()).isEqualTo(1);
    assertThat(encoder.facts().weightBytes()).isBetween(80L << 20, 110L << 20);
  }

  private float[] embed(List<String> texts) throws Exception {
    return encoder.embed(encoder.tokenize(texts)).get().values();
  }

  private static int start(List<String> texts, int thread) {
    return texts.size() * thread / 8;
  }

  private static float[] row(float[] values, int row) {
    return Arrays.copyOfRange(values, row * WIDTH, (row + 1) * WIDTH);
  }
}
