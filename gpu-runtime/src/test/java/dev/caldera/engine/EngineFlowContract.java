package dev.caldera.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.engine.Encoder.Embeddings;
import dev.caldera.memory.OutOfDeviceMemoryException;
import dev.caldera.model.ModelFolder;
import dev.caldera.text.TokenBatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the engine must hold back, drop, drain and make room on every device. */
@Timeout(60)
abstract class EngineFlowContract extends EngineFixture {
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
  void refusesToEmbedAfterTheEncoderIsClosed() throws Exception {
    Encoder encoder = encoder();
    TokenBatch tokens = encoder.tokenize(List.of("a"));
    encoder.close();
    encoder.close();
    assertThatThrownBy(() -> encoder.embed(tokens))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot use the encoder of model %s: it is closed", folder.path());
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
}
