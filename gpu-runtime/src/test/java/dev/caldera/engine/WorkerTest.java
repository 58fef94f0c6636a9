package dev.caldera.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.engine.Encoder.Embeddings;
import dev.caldera.memory.OutOfDeviceMemoryException;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class WorkerTest {
  private static final int BUDGET = 1000;

  private final FakeModel model = new FakeModel("model", 2);
  private final Counters counters = new Counters();
  private final RequestQueue queue =
      new RequestQueue(new BatchLimits(BUDGET, BUDGET), 1_000_000, () -> new Shares(BUDGET, 1));
  private final List<Integer> batchSizes = Collections.synchronizedList(new ArrayList<>());
  private final List<Thread> threads = new ArrayList<>();

  @AfterEach
  void stop() throws InterruptedException {
    queue.close();
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void resultsComeInTheOrderOfTheTexts() throws Exception {
    Request request = new Request(model, FakeTokens.equal(500, 10));
    queue.put(request);
    start(batch -> {});
    start(batch -> {});
    Embeddings vectors = request.future().get();
    assertThat(vectors.width()).isEqualTo(2);
    assertThat(vectors.batches()).isEqualTo(5).isEqualTo(batchSizes.size());
    assertThat(vectors.waitNanos()).isPositive();
    assertThat(vectors.deviceNanos()).isEqualTo(5 * 1000);
    assertThat(vectors.values()).hasSize(1000);
    for (int text = 0; text < 500; text++) {
      assertThat(vectors.values()[2 * text]).isEqualTo(text);
      assertThat(vectors.values()[2 * text + 1]).isEqualTo(10);
    }
    assertThat(counters.snapshot(0).rows()).isEqualTo(500);
    assertThat(counters.snapshot(0).tokens()).isEqualTo(5000);
    assertThat(counters.snapshot(0).deviceNanos()).isEqualTo(5000);
  }

  @Test
  void halvesABatchThatDoesNotFitTheDevice() throws Exception {
    Request request = new Request(model, FakeTokens.equal(100, 10));
    queue.put(request);
    start(
        batch -> {
          if (batch.texts() > 30) {
            throw new OutOfDeviceMemoryException("Cannot allocate 1 byte");
          }
        });
    assertThat(request.future().get().values()).hasSize(200);
    assertThat(batchSizes).containsExactly(100, 50, 25, 25, 50, 25, 25);
    assertThat(counters.snapshot(0).halved()).isEqualTo(3);
    assertThat(counters.snapshot(0).rows()).isEqualTo(100);
  }

  @Test
  void failsOnlyTheRequestOfTheTextThatDoesNotFit() throws Exception {
    Request small = model.request(5, 5);
    Request large = model.request(5, 700);
    Request other = model.request(7);
    queue.put(small);
    queue.put(large);
    queue.put(other);
    start(
        batch -> {
          if (batch.tokens() > 600) {
            throw new OutOfDeviceMemoryException("Cannot allocate 9 bytes");
          }
        });
    assertThat(small.future().get().values()).containsExactly(0, 5, 1, 5);
    assertThat(other.future().get().values()).containsExactly(0, 7);
    assertThatThrownBy(() -> large.future().get())
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(OutOfDeviceMemoryException.class)
        .hasRootCauseMessage(
            "Cannot embed 1 text of 700 tokens with model on device: Cannot allocate 9 bytes");
  }

  @Test
  void aFailureFailsTheRequestsOfItsBatchAndNoOthers() throws Exception {
    Request first = model.request(600, 600);
    queue.put(first);
    start(
        batch -> {
          if (batch.tokens() == 600) {
            throw new IllegalArgumentException("kernel refused");
          }
        });
    assertThatThrownBy(() -> first.future().get())
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot embed 1 text of 600 tokens with model on device: kernel refused")
        .hasCauseInstanceOf(IllegalArgumentException.class);
    Request second = model.request(5);
    queue.put(second);
    assertThat(second.future().get().values()).containsExactly(0, 5);
  }

  @Test
  void anErrorDoesNotEndTheWorker() throws Exception {
    Request first = model.request(600);
    queue.put(first);
    start(
        batch -> {
          if (batch.tokens() == 600) {
            throw new StackOverflowError("deep");
          }
        });
    assertThatThrownBy(() -> first.future().get()).hasRootCauseInstanceOf(StackOverflowError.class);
    Request second = model.request(5);
    queue.put(second);
    assertThat(second.future().get().values()).hasSize(2);
  }

  @Test
  void anInterruptDoesNotEndTheWorker() throws Exception {
    start(batch -> {});
    threads.get(0).interrupt();
    Request request = model.request(5);
    queue.put(request);
    assertThat(request.future().get().values()).containsExactly(0, 5);
    threads.get(0).interrupt();
    Request next = model.request(7);
    queue.put(next);
    assertThat(next.future().get().values()).containsExactly(0, 7);
  }

  @Test
  void doesNotRunTextsOfACancelledRequest() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    Request first = model.request(900);
    Request second = new Request(model, FakeTokens.equal(100, 10));
    queue.put(first);
    queue.put(second);
    start(
        batch -> {
          running.countDown();
          try {
            cancelled.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    running.await();
    second.future().cancel(true);
    cancelled.countDown();
    assertThat(first.future().get().values()).hasSize(2);
    Request third = model.request(5);
    queue.put(third);
    third.future().get();
    assertThat(counters.snapshot(0).rows()).isLessThan(100);
  }

  /** A worker whose device makes, of each text, its first token and its length. */
  private void start(Consumer<Batch> beforeRun) {
    BatchRunner runner =
        (batch, results) -> {
          batchSizes.add(batch.texts());
          beforeRun.accept(batch);
          FloatBuffer vectors = FloatBuffer.allocate(2 * batch.texts());
          for (Part part : batch.parts()) {
            for (int text = part.from(); text < part.to(); text++) {
              int start = part.request().tokens().starts()[text];
              vectors.put(part.request().tokens().ids()[start]);
              vectors.put(part.request().length(text));
            }
          }
          results.accept(vectors.flip(), 1000);
        };
    Thread thread = new Thread(new Worker(queue, runner, counters, "device"));
    thread.start();
    threads.add(thread);
  }
}
