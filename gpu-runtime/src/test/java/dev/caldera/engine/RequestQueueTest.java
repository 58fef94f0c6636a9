package dev.caldera.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class RequestQueueTest {
  private final FakeModel model = new FakeModel("model", 4);

  @Test
  void packsTextsOfSeveralRequestsInOrderUpToTheBudget() throws InterruptedException {
    RequestQueue queue = queue(100, 1000, 1);
    Request first = model.request(30, 30);
    Request second = model.request(20, 20, 20);
    queue.put(first);
    queue.put(second);
    assertThat(drain(queue))
        .containsExactly(
            new Batch(model, List.of(new Part(first, 0, 2))),
            new Batch(model, List.of(new Part(second, 0, 3))));
    queue.put(first = model.request(30, 30));
    queue.put(second = model.request(20, 20));
    assertThat(drain(queue))
        .containsExactly(new Batch(model, List.of(new Part(first, 0, 2), new Part(second, 0, 2))));
  }

  @Test
  void neverSplitsATextAndRunsALongOneAlone() throws InterruptedException {
    RequestQueue queue = queue(100, 1000, 1);
    queue.put(model.request(250, 60, 60, 250));
    List<Batch> batches = drain(queue);
    assertThat(batches.stream().map(Batch::tokens)).containsExactly(250, 60, 60, 250);
  }

  @Test
  void carriesNoMoreTextsThanTheLimit() throws InterruptedException {
    RequestQueue queue = new RequestQueue(new BatchLimits(100, 3), 1000, () -> new Shares(100, 1));
    queue.put(model.request(1, 1, 1, 1));
    queue.put(model.request(1, 1, 1));
    assertThat(drain(queue).stream().map(Batch::texts)).containsExactly(3, 3, 1);
  }

  @Test
  void cutsEqualBatchesForWorkersSideBySide() throws InterruptedException {
    RequestQueue queue = queue(512, 100_000, 2);
    queue.put(new Request(model, FakeTokens.equal(120, 10)));
    assertThat(drain(queue).stream().map(Batch::tokens)).containsExactly(300, 300, 300, 300);
  }

  @Test
  void givesTurnsToRequestsOfOneModel() throws InterruptedException {
    RequestQueue queue = queue(Lane.TURN_TOKENS, 1_000_000, 1);
    Request large = new Request(model, FakeTokens.equal(4 * Lane.TURN_TOKENS / 64, 64));
    Request small = model.request(64);
    queue.put(large);
    queue.put(small);
    List<Batch> batches = drain(queue);
    int turn = 0;
    while (batches.get(turn).parts().get(0).request() == large) {
      turn++;
    }
    assertThat(turn).isEqualTo(2);
    assertThat(batches.get(turn).parts()).extracting(Part::request).startsWith(small, large);
    assertThat(batches).hasSize(5);
  }

  @Test
  void givesTurnsToModels() throws InterruptedException {
    FakeModel other = new FakeModel("other", 4);
    RequestQueue queue = queue(100, 10_000, 1);
    queue.put(model.request(100, 100, 100));
    queue.put(other.request(100, 100));
    assertThat(drain(queue).stream().map(batch -> batch.model().name()))
        .containsExactly("model", "other", "model", "other", "model");
  }

  @Test
  void everyTextIsInExactlyOneBatch() throws InterruptedException {
    RequestQueue queue = queue(256, 1_000_000, 2);
    Random random = new Random(7);
    List<Request> requests = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Request request = model.request(random.ints(random.nextInt(60) + 1, 1, 300).toArray());
      requests.add(request);
      queue.put(request);
    }
    List<Batch> batches = drain(queue);
    for (Request request : requests) {
      List<Part> parts =
          batches.stream()
              .flatMap(batch -> batch.parts().stream())
              .filter(part -> part.request() == request)
              .toList();
      int next = 0;
      for (Part part : parts) {
        assertThat(part.from()).isEqualTo(next);
        next = part.to();
      }
      assertThat(next).isEqualTo(request.tokens().texts());
    }
    assertThat(batches).allMatch(batch -> batch.tokens() <= 256 || batch.texts() == 1);
  }

  @Test
  void blocksWhileThereIsNoRoomAndGoesOnWhenThereIs() throws Exception {
    RequestQueue queue = queue(100, 150, 1);
    queue.put(model.request(100));
    CountDownLatch added = new CountDownLatch(1);
    Request second = model.request(100);
    Thread caller = start(() -> queue.put(second), added);
    assertThat(added.await(100, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(next(queue).tokens()).isEqualTo(100);
    assertThat(added.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(next(queue).parts()).containsExactly(new Part(second, 0, 1));
    caller.join();
  }

  @Test
  void admitsARequestLargerThanAllRoomWhenNothingElseWaits() throws InterruptedException {
    RequestQueue queue = queue(100, 150, 1);
    queue.put(model.request(100, 100, 100, 100));
    assertThat(drain(queue)).hasSize(4);
    queue.put(model.request(100));
    assertThat(drain(queue)).hasSize(1);
  }

  @Test
  void anInterruptedCallerHandsNothingOver() throws Exception {
    RequestQueue queue = queue(100, 100, 1);
    queue.put(model.request(100));
    AtomicReference<Throwable> seen = new AtomicReference<>();
    Request blocked = model.request(50);
    Thread caller =
        new Thread(
            () -> {
              try {
                queue.put(blocked);
              } catch (InterruptedException | RuntimeException e) {
                seen.set(e);
              }
            });
    caller.start();
    while (caller.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    caller.interrupt();
    caller.join();
    assertThat(seen.get()).isInstanceOf(InterruptedException.class);
    assertThat(drain(queue)).hasSize(1);
    queue.put(model.request(100));
    assertThat(drain(queue)).hasSize(1);
  }

  @Test
  void dropsWhatIsInNoBatchAndGivesItsRoomBack() throws InterruptedException {
    RequestQueue queue = queue(100, 300, 1);
    Request request = model.request(100, 100, 100);
    queue.put(request);
    assertThat(next(queue).texts()).isEqualTo(1);
    queue.drop(request);
    queue.drop(request);
    queue.put(model.request(100, 100, 100));
    assertThat(drain(queue)).hasSize(3);
  }

  @Test
  void closeLetsWhatWaitsBeTakenAndRefusesMore() throws Exception {
    RequestQueue queue = queue(100, 100, 1);
    queue.put(model.request(100));
    CompletableFuture<Throwable> blocked = new CompletableFuture<>();
    Thread caller =
        new Thread(
            () -> {
              try {
                queue.put(model.request(100));
                blocked.complete(null);
              } catch (InterruptedException | RuntimeException e) {
                blocked.complete(e);
              }
            });
    caller.start();
    while (caller.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    queue.close();
    assertThat(next(queue).tokens()).isEqualTo(100);
    assertThat(queue.take()).isNull();
    assertThat(blocked.get())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot embed texts: the engine is closed");
    assertThatThrownBy(() -> queue.put(model.request(1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot embed texts: the engine is closed");
  }

  @Test
  void clearTakesOutWhatWaits() throws InterruptedException {
    RequestQueue queue = queue(100, 300, 1);
    Request first = model.request(100, 100);
    Request second = model.request(50);
    queue.put(first);
    queue.put(second);
    assertThat(next(queue).texts()).isEqualTo(1);
    assertThat(queue.clear()).containsExactlyInAnyOrder(first, second);
    queue.close();
    assertThat(queue.take()).isNull();
  }

  @Test
  void halvesABatchByTexts() {
    Request first = model.request(1, 1, 1);
    Request second = model.request(1, 1);
    Batch batch = new Batch(model, List.of(new Part(first, 0, 3), new Part(second, 0, 2)));
    assertThat(batch.halves())
        .containsExactly(
            new Batch(model, List.of(new Part(first, 0, 2))),
            new Batch(model, List.of(new Part(first, 2, 3), new Part(second, 0, 2))));
  }

  private static RequestQueue queue(int budget, int limit, int workers) {
    return new RequestQueue(
        new BatchLimits(budget, budget), limit, () -> new Shares(budget, workers));
  }

  /** All batches that can be cut now. */
  private static List<Batch> drain(RequestQueue queue) throws InterruptedException {
    List<Batch> batches = new ArrayList<>();
    while (!queue.isEmpty()) {
      batches.add(next(queue));
    }
    return batches;
  }

  private static Batch next(RequestQueue queue) throws InterruptedException {
    return Objects.requireNonNull(queue.take());
  }

  private static Thread start(Interruptible action, CountDownLatch done) {
    Thread thread =
        new Thread(
            () -> {
              try {
                action.run();
                done.countDown();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    thread.start();
    return thread;
  }

  private interface Interruptible {
    void run() throws InterruptedException;
  }
}
