package dev.caldera.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.plan.MemoryPlan;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The arena's contract in host memory, and what only a small device can show. */
@Timeout(30)
class HostArenaTest extends ArenaContract {
  @Override
  protected MemoryDevice openDevice() {
    return HostMemoryDevice.open();
  }

  @Override
  protected void closeDevice(MemoryDevice opened) {
    ((HostMemoryDevice) opened).close();
  }

  @Test
  void growingWaitsUntilNothingIsInFlightAndLetsNoOtherRunBegin() throws Exception {
    MemoryPlan small = plan(1024);
    MemoryPlan large = plan(4096);
    try (Arena arena = Arena.reserve(device, small)) {
      Arena.Hold first = arena.hold(small);
      CompletableFuture<Arena.Hold> grower = new CompletableFuture<>();
      Thread growing = holder(arena, large, grower);
      awaitState(growing, Thread.State.WAITING);
      CompletableFuture<Arena.Hold> later = new CompletableFuture<>();
      Thread waiting = holder(arena, small, later);
      awaitState(waiting, Thread.State.WAITING);
      assertThat(grower).isNotDone();
      assertThat(later).isNotDone();
      first.close();
      grower.get(10, TimeUnit.SECONDS).close();
      later.get(10, TimeUnit.SECONDS).close();
      assertThat(arena.fits(large)).isTrue();
      growing.join();
      waiting.join();
    }
  }

  @Test
  void waitingToGrowCanBeInterruptedAndIsEndedByClose() throws Exception {
    MemoryPlan small = plan(1024);
    Arena arena = Arena.reserve(device, small);
    Arena.Hold hold = arena.hold(small);
    CompletableFuture<Arena.Hold> interrupted = new CompletableFuture<>();
    Thread first = holder(arena, plan(4096), interrupted);
    awaitState(first, Thread.State.WAITING);
    first.interrupt();
    assertThatThrownBy(() -> interrupted.get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(InterruptedException.class);
    arena.hold(small).close();
    CompletableFuture<Arena.Hold> closed = new CompletableFuture<>();
    Thread second = holder(arena, plan(4096), closed);
    awaitState(second, Thread.State.WAITING);
    arena.close();
    assertThatThrownBy(() -> closed.get(10, TimeUnit.SECONDS))
        .hasRootCauseMessage("Cannot use the arena: it is closed");
    hold.close();
    first.join();
    second.join();
  }

  @Test
  void failingToGrowLeavesAnArenaThatCanBeUsedAgain() throws Exception {
    HostMemoryDevice small = HostMemoryDevice.small(1 << 20, 8192);
    try (Arena arena = Arena.reserve(small, plan(1024))) {
      assertThatThrownBy(() -> arena.hold(plan(16384)))
          .isInstanceOf(OutOfDeviceMemoryException.class);
      assertThat(small.counters().liveBuffers()).isZero();
      arena.hold(plan(1024)).close();
      assertThat(arena.fits(plan(1024))).isTrue();
    }
    small.close();
  }

  private static Thread holder(Arena arena, MemoryPlan plan, CompletableFuture<Arena.Hold> result) {
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(arena.hold(plan));
              } catch (Exception failure) {
                result.completeExceptionally(failure);
              }
            });
    thread.start();
    return thread;
  }

  static void awaitState(Thread thread, Thread.State state) throws InterruptedException {
    while (thread.getState() != state) {
      Thread.sleep(1);
    }
  }
}
