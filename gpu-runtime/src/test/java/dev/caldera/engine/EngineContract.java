package dev.caldera.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.caldera.backend.Device;
import dev.caldera.engine.Encoder.Embeddings;
import dev.caldera.memory.OutOfDeviceMemoryException;
import dev.caldera.model.ModelFolder;
import dev.caldera.testing.MiniLm;
import dev.caldera.text.TokenBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the engine must do on every device, shown around a tiny encoder. */
@Timeout(60)
abstract class EngineContract {
  private static final int BATCH_TOKENS = 64;

  @TempDir Path temporary;

  private final TinyEncoder graphs = new TinyEncoder();
  private final ModelFolder folder = ModelFolder.open(MiniLm.folder());
  private final EncoderSettings settings =
      EncoderSettings.resolve(folder.description(), EncoderOptions.defaults());
  private WatchedDevice device;
  private Engine engine;

  /** Opens the device. */
  abstract Device openDevice();

  @BeforeEach
  void open() {
    device = new WatchedDevice(openDevice(), BATCH_TOKENS);
    engine = Engine.open(device, EngineOptions.defaults(), graphs);
  }

  @AfterEach
  void closeAndCountWhatIsLeft() {
    if (engine == null) {
      return;
    }
    device.letGo();
    graphs.gate.countDown();
    engine.close();
    engine.close();
    assertThat(device.openPrograms).hasValue(0);
    assertThat(device.counters().liveBuffers()).isZero();
    assertThat(device.counters().liveBytes()).isZero();
    device.close();
  }

  @Test
  void embedsTextsInTheirOrder() throws Exception {
    try (Encoder encoder = encoder()) {
      TokenBatch tokens = encoder.tokenize(texts(100));
      Embeddings vectors = encoder.embed(tokens).get();
      assertThat(vectors.width()).isEqualTo(encoder.width()).isEqualTo(TinyEncoder.WIDTH);
      assertThat(vectors.values()).hasSize(100 * TinyEncoder.WIDTH);
      for (int text = 0; text < 100; text++) {
        float[] expected = TinyEncoder.expected(settings, tokens, text);
        for (int i = 0; i < expected.length; i++) {
          assertThat(vectors.values()[text * TinyEncoder.WIDTH + i])
              .isCloseTo(expected[i], within(1e-5f));
        }
      }
      assertThat(vectors.batches()).isGreaterThan(1).isEqualTo(device.runs.size());
      assertThat(vectors.deviceNanos()).isPositive();
      assertThat(device.runs).allMatch(run -> run <= BATCH_TOKENS);
    }
  }

  @Test
  void aTextLongerThanABatchRunsAlone() throws Exception {
    try (Encoder encoder = encoder()) {
      TokenBatch tokens = encoder.tokenize(List.of("short", "word ".repeat(200), "short"));
      float[] values = encoder.embed(tokens).get().values();
      assertThat(device.runs).contains(202L).hasSize(3);
      assertThat(row(values, 0)).isEqualTo(row(values, 2)).isNotEqualTo(row(values, 1));
    }
  }

  @Test
  void embedsNoTexts() throws Exception {
    try (Encoder encoder = encoder()) {
      assertThat(encoder.embed(encoder.tokenize(List.of())).get().values()).isEmpty();
    }
  }

  @Test
  void noBatchAllocatesAnything() throws Exception {
    try (Encoder encoder = encoder()) {
      TokenBatch tokens = encoder.tokenize(texts(300));
      long before = device.counters().allocations();
      for (int again = 0; again < 5; again++) {
        encoder.embed(tokens).get();
        encoder.embed(encoder.tokenize(texts(again))).get();
      }
      assertThat(device.counters().allocations()).isEqualTo(before);
    }
  }

  @Test
  void givesTheSameBitsAloneTogetherAndFromManyThreads() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (Encoder encoder = encoder()) {
      List<String> texts = texts(60);
      float[] together = encoder.embed(encoder.tokenize(texts)).get().values();
      List<Future<float[]>> alone = new ArrayList<>();
      for (String text : texts) {
        alone.add(
            threads.submit(() -> encoder.embed(encoder.tokenize(List.of(text))).get().values()));
      }
      for (int text = 0; text < texts.size(); text++) {
        assertThat(alone.get(text).get()).isEqualTo(row(together, text));
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void loadsAModelOnceHoweverManyAsk() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<Encoder>> encoders = threads.invokeAll(Collections.nCopies(16, this::encoder));
      for (Future<Encoder> encoder : encoders) {
        encoder.get().close();
      }
      try (Encoder again = encoder()) {
        assertThat(again.facts().uploads()).isEqualTo(1);
        assertThat(again.facts().weightBytes())
            .isGreaterThanOrEqualTo(4L * TinyEncoder.WIDTH * TinyEncoder.WORDS);
        assertThat(again.facts().loadNanos()).isPositive();
        assertThat(again.facts().model()).isEqualTo(MiniLm.folder().toString());
        assertThat(again.facts().revision()).isEqualTo(folder.revision());
        assertThat(again.facts().device()).isEqualTo(device.info().name());
        assertThat(again.facts().planSummary()).startsWith("arena ");
      }
      assertThat(graphs.reads).hasValue(1);
      assertThat(engine.metrics().modelLoads()).isEqualTo(1);
      assertThat(engine.metrics().uploads()).isEqualTo(1);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aFailedLoadFailsAllThatWaitAndIsTriedAnewByTheNext() throws Exception {
    graphs.failures.set(1);
    graphs.gate = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<Encoder>> waiting =
          List.of(threads.submit(this::encoder), threads.submit(this::encoder));
      Thread.sleep(50);
      graphs.gate.countDown();
      for (Future<Encoder> encoder : waiting) {
        assertThatThrownBy(encoder::get)
            .cause()
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("Cannot read " + folder.graph() + ": it is damaged");
      }
      encoder().close();
      assertThat(graphs.reads).hasValue(2);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void anInterruptedCallerDoesNotSpoilTheLoadForOthers() throws Exception {
    graphs.gate = new CountDownLatch(1);
    ExecutorService first = Executors.newSingleThreadExecutor();
    ExecutorService second = Executors.newSingleThreadExecutor();
    try {
      Future<Encoder> interrupted = first.submit(this::encoder);
      while (graphs.reads.get() == 0) {
        Thread.sleep(5);
      }
      Future<Encoder> patient = second.submit(this::encoder);
      first.shutdownNow();
      assertThatThrownBy(interrupted::get).hasCauseInstanceOf(InterruptedException.class);
      graphs.gate.countDown();
      patient.get().close();
      assertThat(graphs.reads).hasValue(1);
    } finally {
      first.shutdownNow();
      second.shutdownNow();
    }
  }

  @Test
  void optionsMakeAnotherEncoderOverTheSameWeights() throws Exception {
    try (Encoder mean = encoder();
        Encoder first = engine.encoder(folder, EncoderOptions.parse(Map.of("pooling", "cls")))) {
      TokenBatch tokens = mean.tokenize(List.of("two different vectors"));
      assertThat(mean.embed(tokens).get().values())
          .isNotEqualTo(first.embed(tokens).get().values());
      assertThat(first.facts().uploads()).isEqualTo(1);
      assertThat(graphs.reads).hasValue(2);
    }
  }

  @Test
  void blocksTheCallerWhileTooMuchWaits() throws Exception {
    engine.close();
    engine = Engine.open(device, new EngineOptions(0, 100, 0), graphs);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (Encoder encoder = encoder()) {
      TokenBatch tokens = encoder.tokenize(List.of("word ".repeat(58)));
      device.hold();
      for (int inFlight = 0; inFlight < device.driving().workers(); inFlight++) {
        encoder.embed(tokens);
      }
      while (device.runs.size() < device.driving().workers()) {
        Thread.sleep(5);
      }
      encoder.embed(tokens);
      Future<CompletableFuture<Embeddings>> blocked = threads.submit(() -> encoder.embed(tokens));
      Thread.sleep(100);
      assertThat(blocked.isDone()).isFalse();
      device.letGo();
      assertThat(blocked.get().get().values()).hasSize(TinyEncoder.WIDTH);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void anInterruptedCallerHandsNothingOver() throws Exception {
    engine.close();
    engine = Engine.open(device, new EngineOptions(0, 100, 0), graphs);
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try (Encoder encoder = encoder()) {
      TokenBatch tokens = encoder.tokenize(List.of("word ".repeat(58)));
      device.hold();
      List<CompletableFuture<Embeddings>> handedOver = new ArrayList<>();
      for (int i = 0; i < device.driving().workers(); i++) {
        handedOver.add(encoder.embed(tokens));
      }
      while (device.runs.size() < device.driving().workers()) {
        Thread.sleep(5);
      }
      handedOver.add(encoder.embed(tokens));
      Future<?> blocked = threads.submit(() -> encoder.embed(tokens));
      Thread.sleep(100);
      threads.shutdownNow();
      assertThatThrownBy(blocked::get).hasCauseInstanceOf(InterruptedException.class);
      device.letGo();
      for (CompletableFuture<Embeddings> request : handedOver) {
        request.get();
      }
      assertThat(device.runs).hasSize(handedOver.size());
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void cancellingDropsWhatIsInNoBatch() throws Exception {
    try (Encoder encoder = encoder()) {
      TokenBatch tokens = encoder.tokenize(texts(300));
      device.hold();
      CompletableFuture<Embeddings> request = encoder.embed(tokens);
      while (device.runs.size() < device.driving().workers()) {
        Thread.sleep(5);
      }
      assertThat(request.cancel(true)).isTrue();
      device.letGo();
      encoder.embed(encoder.tokenize(List.of("next"))).get();
      assertThat(device.runs).hasSize(device.driving().workers() + 1);
      assertThat(engine.metrics().failed()).isEqualTo(1);
    }
  }

  @Test
  void closingFinishesWhatItHas() throws Exception {
    Encoder encoder = encoder();
    TokenBatch tokens = encoder.tokenize(texts(200));
    List<CompletableFuture<Embeddings>> requests = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      requests.add(encoder.embed(tokens));
    }
    engine.close();
    for (CompletableFuture<Embeddings> request : requests) {
      assertThat(request).isDone();
      assertThat(request.get().values()).hasSize(200 * TinyEncoder.WIDTH);
    }
    assertThatThrownBy(() -> encoder.embed(tokens))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(folder.path().toString());
    assertThatThrownBy(this::encoder)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot load model " + folder + ": the engine is closed");
    encoder.close();
  }

  @Test
  void interruptingTheCloseDropsWhatWaits() throws Exception {
    Encoder encoder = encoder();
    TokenBatch tokens = encoder.tokenize(texts(300));
    device.hold();
    CompletableFuture<Embeddings> request = encoder.embed(tokens);
    while (device.runs.size() < device.driving().workers()) {
      Thread.sleep(5);
    }
    Thread closer = new Thread(engine::close);
    closer.start();
    closer.interrupt();
    assertThatThrownBy(request::get)
        .isInstanceOf(CancellationException.class)
        .hasMessage("Cannot embed texts: the engine is closed");
    device.letGo();
    closer.join();
    encoder.close();
  }

  @Test
  void halvesWhatDoesNotFitAndFailsWhatNeverWill() throws Exception {
    try (Encoder encoder = encoder()) {
      device.roomTokens = 40;
      TokenBatch tokens = encoder.tokenize(texts(100));
      assertThat(encoder.embed(tokens).get().values()).hasSize(100 * TinyEncoder.WIDTH);
      assertThat(engine.metrics().halved()).isPositive();
      TokenBatch large = encoder.tokenize(List.of("word ".repeat(50)));
      assertThatThrownBy(() -> encoder.embed(large).get())
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(OutOfDeviceMemoryException.class)
          .hasRootCauseMessage(
              "Cannot embed 1 text of 52 tokens with "
                  + folder.path()
                  + " on "
                  + device.info().name()
                  + ": Cannot allocate for 52 tokens");
    }
  }

  @Test
  void makesRoomForAModelByUnloadingAnIdleOne() throws Exception {
    engine.close();
    long weights = 4L * TinyEncoder.WIDTH * TinyEncoder.WORDS * 3 / 2;
    engine = Engine.open(device, new EngineOptions(0, 0, weights), graphs);
    ModelFolder other = ModelFolder.open(copyOfSmallFiles());
    encoder().close();
    try (Encoder second = engine.encoder(other, EncoderOptions.defaults())) {
      assertThat(second.embed(second.tokenize(List.of("a"))).get().values()).isNotEmpty();
      assertThatThrownBy(this::encoder)
          .isInstanceOf(OutOfDeviceMemoryException.class)
          .hasMessageStartingWith("Cannot load model " + folder + ": ");
    }
    try (Encoder first = encoder()) {
      assertThat(first.embed(first.tokenize(List.of("a"))).get().values()).isNotEmpty();
      assertThat(first.facts().uploads()).isEqualTo(2);
    }
  }

  @Test
  void refusesTokensThatTheModelCannotTake() throws Exception {
    try (Encoder encoder = encoder()) {
      refuses(
          encoder,
          new TokenBatch(new int[] {1, TinyEncoder.WORDS}, new int[] {0, 2}, 0),
          "Cannot embed text 0 with token 30522: the vocabulary of "
              + folder.path()
              + " has tokens 0 to 30521; its tokenizer may belong to another model");
      refuses(
          encoder,
          new TokenBatch(new int[] {-1}, new int[] {0, 1}, 0),
          "Cannot embed text 0 with token -1: the vocabulary of "
              + folder.path()
              + " has tokens 0 to 30521; its tokenizer may belong to another model");
      refuses(
          encoder,
          new TokenBatch(new int[] {1}, new int[] {0, 1, 1}, 0),
          "Cannot embed text 1 of 0 tokens: " + folder.path() + " takes 1 to 256");
      refuses(
          encoder,
          FakeTokens.equal(1, 257),
          "Cannot embed text 0 of 257 tokens: " + folder.path() + " takes 1 to 256");
      refuses(
          encoder,
          new TokenBatch(new int[1], new int[] {0, 2}, 0),
          "Cannot embed tokens: starts must go from 0 to at most the number of ids, 1");
    }
  }

  @Test
  void refusesSettingsThatTheModelCannotTake() {
    assertThatThrownBy(
            () ->
                engine.encoder(
                    folder, EncoderOptions.parse(Map.of(EncoderOptions.MAX_TOKENS, "301"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot use model %s with maxTokens 301: it has positions for 300 tokens",
            folder.path());
    assertThatThrownBy(
            () ->
                engine.encoder(
                    folder, EncoderOptions.parse(Map.of(EncoderOptions.MAX_TOKENS, "2"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("so at least 3 are needed");
    assertThat(engine.metrics().modelLoads()).isZero();
  }

  @Test
  void refusesToEmbedAfterTheEncoderIsClosed() throws Exception {
    Encoder encoder = encoder();
    TokenBatch tokens = encoder.tokenize(List.of("a"));
    encoder.close();
    encoder.close();
    assertThatThrownBy(() -> encoder.embed(tokens))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot use the encoder of model %s: it is closed", folder.path());
  }

  @Test
  void countsWhatItDoes() throws Exception {
    try (Encoder encoder = encoder()) {
      TokenBatch tokens = encoder.tokenize(List.of("one", "word ".repeat(300), ""));
      encoder.embed(tokens).get();
      EngineMetrics metrics = engine.metrics();
      assertThat(metrics.requests()).isEqualTo(1);
      assertThat(metrics.rows()).isEqualTo(3);
      assertThat(metrics.tokens()).isEqualTo(tokens.tokens()).isEqualTo(3 + 256 + 2);
      assertThat(metrics.truncated()).isEqualTo(1);
      assertThat(metrics.batches()).isEqualTo(device.runs.size());
      assertThat(metrics.deviceNanos()).isPositive();
      assertThat(metrics.waitNanos()).isPositive();
      assertThat(metrics.idleNanos()).isPositive();
      assertThat(metrics.loadNanos()).isPositive();
      assertThat(metrics.failed()).isZero();
    }
  }

  private Encoder encoder() throws InterruptedException {
    return engine.encoder(folder, EncoderOptions.defaults());
  }

  /** Another model folder with the same tokenizer and pooling; its weights are never read. */
  private Path copyOfSmallFiles() throws IOException {
    for (String file : List.of("tokenizer.json", "modules.json", "sentence_bert_config.json")) {
      Files.copy(folder.path().resolve(file), temporary.resolve(file));
    }
    Files.createDirectory(temporary.resolve("1_Pooling"));
    Files.copy(
        folder.path().resolve("1_Pooling/config.json"), temporary.resolve("1_Pooling/config.json"));
    Files.writeString(temporary.resolve("model.onnx"), "not read");
    return temporary;
  }

  private static void refuses(Encoder encoder, TokenBatch tokens, String message) {
    assertThatThrownBy(() -> encoder.embed(tokens))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  private static float[] row(float[] values, int row) {
    return Arrays.copyOfRange(values, row * TinyEncoder.WIDTH, (row + 1) * TinyEncoder.WIDTH);
  }

  private static List<String> texts(int count) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(("review " + i + " of a good book ").repeat(1 + i % 3));
    }
    return texts;
  }
}
