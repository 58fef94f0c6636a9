package dev.caldera.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.caldera.engine.Encoder.Embeddings;
import dev.caldera.testing.MiniLm;
import dev.caldera.text.TokenBatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the engine must do on every device: load, embed, refuse, count. */
@Timeout(60)
abstract class EngineContract extends EngineFixture {
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
    List<FutureTask<Encoder>> callers =
        List.of(new FutureTask<>(this::encoder), new FutureTask<>(this::encoder));
    List<Thread> threads = callers.stream().map(Thread::new).toList();
    threads.forEach(Thread::start);
    while (!threads.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING)) {
      Thread.sleep(5);
    }
    graphs.gate.countDown();
    for (Future<Encoder> encoder : callers) {
      assertThatThrownBy(encoder::get)
          .cause()
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Cannot read " + folder.graph() + ": it is damaged");
    }
    encoder().close();
    assertThat(graphs.reads).hasValue(2);
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

  private static void refuses(Encoder encoder, TokenBatch tokens, String message) {
    assertThatThrownBy(() -> encoder.embed(tokens))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
