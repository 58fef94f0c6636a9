package dev.caldera.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.graph.TensorData;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The weight pool's contract in host memory, and its behaviour among threads. */
@Timeout(30)
class HostWeightPoolTest extends WeightPoolContract {
  @Override
  protected MemoryDevice openDevice() {
    return HostMemoryDevice.open();
  }

  @Override
  protected void closeDevice(MemoryDevice opened) {
    ((HostMemoryDevice) opened).close();
  }

  @Test
  void oneOfManyCallersLoads() throws Exception {
    SlowData slow = new SlowData();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (StagingPool staging = new StagingPool(device, 1 << 20);
        WeightPool pool = WeightPool.copied(device, staging, 1 << 20)) {
      List<Future<WeightPool.Lease>> leases = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        leases.add(threads.submit(() -> pool.open(List.of(slow.record()))));
      }
      slow.started.await();
      slow.proceed.countDown();
      for (Future<WeightPool.Lease> lease : leases) {
        lease.get(10, TimeUnit.SECONDS).close();
      }
      assertThat(slow.reads).hasValue(1);
      assertThat(pool.uploads("s")).isEqualTo(1);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aFailureReachesEveryWaiterAndTheNextCallerTriesAnew() throws Exception {
    SlowData slow = new SlowData();
    slow.failure = new IllegalStateException("the disk is gone");
    try (StagingPool staging = new StagingPool(device, 1 << 20);
        WeightPool pool = WeightPool.copied(device, staging, 1 << 20)) {
      CompletableFuture<WeightPool.Lease> loader = new CompletableFuture<>();
      opener(pool, slow, loader);
      slow.started.await();
      List<CompletableFuture<WeightPool.Lease>> waiters = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        waiters.add(new CompletableFuture<>());
        HostArenaTest.awaitState(opener(pool, slow, waiters.get(i)), Thread.State.WAITING);
      }
      slow.proceed.countDown();
      assertThatThrownBy(() -> loader.get(10, TimeUnit.SECONDS))
          .hasRootCauseMessage("the disk is gone");
      for (CompletableFuture<WeightPool.Lease> waiter : waiters) {
        assertThatThrownBy(() -> waiter.get(10, TimeUnit.SECONDS))
            .hasMessageContaining("Cannot use weight w0: its load failed")
            .hasRootCauseMessage("the disk is gone");
      }
      slow.failure = null;
      pool.open(List.of(slow.record())).close();
      assertThat(slow.reads).hasValue(2);
    }
  }

  @Test
  void anInterruptedLoadIsTakenOverByAWaiter() throws Exception {
    SlowData slow = new SlowData();
    try (StagingPool staging = new StagingPool(device, 1 << 20);
        WeightPool pool = WeightPool.copied(device, staging, 1 << 20)) {
      CompletableFuture<WeightPool.Lease> loader = new CompletableFuture<>();
      List<WeightRecord> records = List.of(slow.record(), record("s", 1));
      Thread loading = opener(pool, records, loader);
      slow.started.await();
      CompletableFuture<WeightPool.Lease> waiter = new CompletableFuture<>();
      HostArenaTest.awaitState(opener(pool, records, waiter), Thread.State.WAITING);
      loading.interrupt();
      slow.proceed.countDown();
      assertThatThrownBy(() -> loader.get(10, TimeUnit.SECONDS))
          .hasCauseInstanceOf(InterruptedException.class);
      waiter.get(10, TimeUnit.SECONDS).close();
      assertThat(slow.reads).hasValue(2);
      assertThat(pool.uploads("s")).isEqualTo(1);
    }
  }

  @Test
  void anInterruptedWaiterHoldsNothing() throws Exception {
    SlowData slow = new SlowData();
    try (StagingPool staging = new StagingPool(device, 1 << 20);
        WeightPool pool = WeightPool.copied(device, staging, 1280)) {
      CompletableFuture<WeightPool.Lease> loader = new CompletableFuture<>();
      opener(pool, slow, loader);
      slow.started.await();
      CompletableFuture<WeightPool.Lease> waiter = new CompletableFuture<>();
      Thread waiting = opener(pool, slow, waiter);
      HostArenaTest.awaitState(waiting, Thread.State.WAITING);
      waiting.interrupt();
      assertThatThrownBy(() -> waiter.get(10, TimeUnit.SECONDS))
          .hasCauseInstanceOf(InterruptedException.class);
      slow.proceed.countDown();
      loader.get(10, TimeUnit.SECONDS).close();
      pool.open(model("b", 1)).close();
      assertThat(pool.holds(key("s", 0))).isFalse();
    }
  }

  @Test
  void closeEndsWaitingAndTheLoadersClaim() throws Exception {
    SlowData slow = new SlowData();
    try (StagingPool staging = new StagingPool(device, 1 << 20)) {
      WeightPool pool = WeightPool.copied(device, staging, 1 << 20);
      CompletableFuture<WeightPool.Lease> loader = new CompletableFuture<>();
      opener(pool, slow, loader);
      slow.started.await();
      CompletableFuture<WeightPool.Lease> waiter = new CompletableFuture<>();
      HostArenaTest.awaitState(opener(pool, slow, waiter), Thread.State.WAITING);
      pool.close();
      assertThatThrownBy(() -> waiter.get(10, TimeUnit.SECONDS))
          .hasRootCauseMessage("Cannot acquire weights: the pool is closed");
      slow.proceed.countDown();
      assertThatThrownBy(() -> loader.get(10, TimeUnit.SECONDS))
          .hasRootCauseMessage("Cannot acquire weights: the pool is closed");
    }
  }

  @Test
  void manyThreadsAndModelsWithinATightBudgetReadRightWeights() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try (StagingPool staging = new StagingPool(device, 1 << 20);
        WeightPool pool = WeightPool.copied(device, staging, 14 * 1280)) {
      List<Future<?>> tasks = new ArrayList<>();
      for (int task = 0; task < 6; task++) {
        int first = task;
        tasks.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 150; i++) {
                    String name = String.valueOf((char) ('a' + (first + i) % 5));
                    try (WeightPool.Lease lease = pool.open(model(name, 1 + i % 2))) {
                      checkContent(staging, lease, name);
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> task : tasks) {
        task.get(20, TimeUnit.SECONDS);
      }
      assertThat(device.counters().peakBytes()).isLessThanOrEqualTo((1 << 20) + 14 * 1280);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aModelThatIsLargerThanAnAllocationTakesSeveral() throws Exception {
    HostMemoryDevice small = HostMemoryDevice.small(1 << 17, 1 << 20);
    try (StagingPool staging = new StagingPool(small, 1 << 17);
        WeightPool pool = WeightPool.copied(small, staging, 1 << 19)) {
      WeightRecord first = new WeightRecord(key("a", 0), new BytesData(new byte[100_000]));
      WeightRecord second = new WeightRecord(key("a", 1), new BytesData(new byte[20_000]));
      WeightRecord third = new WeightRecord(key("a", 2), new BytesData(new byte[50_000]));
      try (WeightPool.Lease lease = pool.open(List.of(first, second, third))) {
        DeviceBuffer buffer = lease.range(first.key()).buffer();
        assertThat(lease.range(second.key()).buffer()).isSameAs(buffer);
        assertThat(lease.range(third.key()).buffer()).isNotSameAs(buffer);
      }
      WeightRecord large = new WeightRecord(key("a", 3), new BytesData(new byte[1 << 17]));
      assertThatThrownBy(() -> pool.open(List.of(large)))
          .hasMessage(
              "Cannot place weight w3: its 131072 bytes (131328 with slack) are over the 131072"
                  + " bytes that an allocation and the budget allow");
    }
    small.close();
  }

  @Test
  void whatTheDeviceCannotHoldBesideOtherThingsIsEvictedThenAnError() throws Exception {
    HostMemoryDevice small = HostMemoryDevice.small(1 << 17, (1 << 16) + 3 * 1280);
    try (StagingPool staging = new StagingPool(small, 1 << 16);
        WeightPool pool = WeightPool.copied(small, staging, 1 << 20)) {
      pool.open(model("a", 2)).close();
      WeightPool.Lease lease = pool.open(model("b", 2));
      assertThat(pool.bytes("a")).isZero();
      assertThatThrownBy(() -> pool.open(model("c", 2)))
          .isInstanceOf(OutOfDeviceMemoryException.class)
          .hasMessageContaining("Cannot place 2 weights of model c in 2560 bytes: 2560 bytes of a")
          .hasMessageContaining("Cannot allocate 2560 bytes: the device has");
      lease.close();
    }
    small.close();
  }

  @Test
  void manyLargeLoadsPassThroughLittleStaging() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try (StagingPool staging = new StagingPool(device, 2 * StagingPool.SMALLEST);
        WeightPool pool = WeightPool.copied(device, staging, 1 << 24)) {
      List<Future<WeightPool.Lease>> leases = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        byte[] large = new byte[300_000];
        large[299_999] = (byte) i;
        List<WeightRecord> records =
            List.of(new WeightRecord(key("l" + i, 0), new BytesData(large)), record("l" + i, 1));
        leases.add(threads.submit(() -> pool.open(records)));
      }
      for (int i = 0; i < 6; i++) {
        try (WeightPool.Lease lease = leases.get(i).get(20, TimeUnit.SECONDS);
            Commands commands = device.begin();
            Transfer transfer = staging.transfer(commands)) {
          BufferRange range = lease.range(key("l" + i, 0));
          Readback last = transfer.readback(range.part(299_999, 1));
          transfer.submit().await();
          assertThat(last.bytes().get()).isEqualTo((byte) i);
        }
      }
      assertThat(staging.bytes()).isLessThanOrEqualTo(2 * StagingPool.SMALLEST);
    } finally {
      threads.shutdownNow();
    }
  }

  private void checkContent(StagingPool staging, WeightPool.Lease lease, String name)
      throws InterruptedException {
    try (Commands commands = device.begin();
        Transfer transfer = staging.transfer(commands)) {
      Readback readback = transfer.readback(lease.range(key(name, 0)));
      transfer.submit().await();
      byte[] bytes = new byte[content(name, 0).length];
      readback.bytes().get(bytes);
      assertThat(bytes).isEqualTo(content(name, 0));
    }
  }

  private static Thread opener(
      WeightPool pool, SlowData slow, CompletableFuture<WeightPool.Lease> result) {
    return opener(pool, List.of(slow.record()), result);
  }

  private static Thread opener(
      WeightPool pool, List<WeightRecord> records, CompletableFuture<WeightPool.Lease> result) {
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(pool.open(records));
              } catch (Exception failure) {
                result.completeExceptionally(failure);
              }
            });
    thread.start();
    return thread;
  }

  /** Data whose read waits until it is told to proceed, then fails if it shall. */
  private static final class SlowData implements TensorData {
    final CountDownLatch started = new CountDownLatch(1);
    final CountDownLatch proceed = new CountDownLatch(1);
    final AtomicInteger reads = new AtomicInteger();
    volatile @Nullable RuntimeException failure;

    WeightRecord record() {
      return new WeightRecord(key("s", 0), this);
    }

    @Override
    public long byteSize() {
      return 1000;
    }

    @Override
    public void read(long offset, ByteBuffer target) {
      reads.incrementAndGet();
      started.countDown();
      boolean interrupted = false;
      while (true) {
        try {
          proceed.await();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      if (failure != null) {
        throw failure;
      }
      target.position(target.limit());
    }
  }
}
