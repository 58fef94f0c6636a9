package dev.caldera.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The staging pool's contract in host memory, and its behaviour among threads. */
@Timeout(30)
class HostStagingPoolTest extends StagingPoolContract {
  @Override
  protected MemoryDevice openDevice() {
    return HostMemoryDevice.open();
  }

  @Override
  protected void closeDevice(MemoryDevice opened) {
    ((HostMemoryDevice) opened).close();
  }

  @Test
  void buffersOfARunningSubmissionComeBackWhenItHasCompleted() throws Exception {
    HostMemoryDevice deferred = HostMemoryDevice.deferred();
    DeviceBuffer target = deferred.allocate(64, BufferUse.DEVICE);
    StagingPool pool = new StagingPool(deferred, 1 << 16);
    try (Commands commands = deferred.begin();
        Transfer transfer = pool.transfer(commands)) {
      transfer.upload(new BufferRange(target, 0, 64), ByteBuffer.allocate(64));
      assertThat(transfer.submit().isDone()).isFalse();
    }
    assertThat(pool.lent()).isEqualTo(1);
    CompletableFuture<StagingBuffer> next = acquireElsewhere(pool);
    Thread.sleep(5);
    assertThat(next).isNotDone();
    deferred.runNext();
    next.get(10, TimeUnit.SECONDS).close();
    assertThat(pool.allocations()).isEqualTo(1);
    pool.close();
    target.close();
    deferred.close();
  }

  @Test
  void closeWaitsForARunningSubmissionBeforeItFreesItsBuffers() throws Exception {
    HostMemoryDevice deferred = HostMemoryDevice.deferred();
    DeviceBuffer target = deferred.allocate(64, BufferUse.DEVICE);
    StagingPool pool = new StagingPool(deferred, 1 << 16);
    try (Commands commands = deferred.begin();
        Transfer transfer = pool.transfer(commands)) {
      transfer.upload(new BufferRange(target, 0, 64), ByteBuffer.allocate(64));
      transfer.submit();
    }
    Thread closer = new Thread(pool::close);
    closer.start();
    HostArenaTest.awaitState(closer, Thread.State.WAITING);
    closer.interrupt();
    assertThat(deferred.counters().liveBuffers()).isEqualTo(2);
    deferred.runNext();
    closer.join();
    assertThat(deferred.counters().liveBuffers()).isEqualTo(1);
    target.close();
    deferred.close();
  }

  @Test
  void waitingIsEndedByAnInterruptAndByClose() throws Exception {
    StagingPool pool = new StagingPool(device, 1 << 16);
    StagingBuffer all = pool.acquire(1 << 16, BufferUse.UPLOAD);
    CompletableFuture<StagingBuffer> interrupted = new CompletableFuture<>();
    Thread first = acquirer(pool, interrupted);
    HostArenaTest.awaitState(first, Thread.State.TIMED_WAITING);
    first.interrupt();
    assertThatThrownBy(() -> interrupted.get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(InterruptedException.class);
    CompletableFuture<StagingBuffer> closed = new CompletableFuture<>();
    Thread second = acquirer(pool, closed);
    HostArenaTest.awaitState(second, Thread.State.TIMED_WAITING);
    pool.close();
    assertThatThrownBy(() -> closed.get(10, TimeUnit.SECONDS))
        .hasRootCauseMessage("Cannot acquire a staging buffer: the pool is closed");
    all.close();
    first.join();
    second.join();
  }

  @Test
  void manyThreadsShareAFewBuffers() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (StagingPool pool = new StagingPool(device, 1 << 18)) {
      List<Future<?>> tasks = new ArrayList<>();
      for (int task = 0; task < 8; task++) {
        int mark = task;
        tasks.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 500; i++) {
                    long size = ThreadLocalRandom.current().nextLong(1, 1 << 17);
                    BufferUse use = i % 3 == 0 ? BufferUse.READBACK : BufferUse.UPLOAD;
                    try (StagingBuffer buffer = pool.acquire(size, use)) {
                      buffer.mapped().putInt(0, mark).putInt((int) size / 8 * 4, mark);
                      Thread.onSpinWait();
                      assertThat(buffer.mapped().getInt(0)).isEqualTo(mark);
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> task : tasks) {
        task.get(20, TimeUnit.SECONDS);
      }
      assertThat(pool.lent()).isZero();
      assertThat(pool.bytes()).isLessThanOrEqualTo(1 << 18);
      assertThat(device.counters().peakBytes()).isLessThanOrEqualTo(1 << 18);
    } finally {
      threads.shutdownNow();
    }
  }

  private static CompletableFuture<StagingBuffer> acquireElsewhere(StagingPool pool) {
    CompletableFuture<StagingBuffer> result = new CompletableFuture<>();
    acquirer(pool, result);
    return result;
  }

  private static Thread acquirer(StagingPool pool, CompletableFuture<StagingBuffer> result) {
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(pool.acquire(1, BufferUse.UPLOAD));
              } catch (Exception failure) {
                result.completeExceptionally(failure);
              }
            });
    thread.start();
    return thread;
  }
}
