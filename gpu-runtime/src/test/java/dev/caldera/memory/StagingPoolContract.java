package dev.caldera.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.plan.MemoryPlan;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a {@link StagingPool} does on every device. */
public abstract class StagingPoolContract extends MemoryContract {

  @Test
  void sizesArePowersOfTwoAndBuffersAreLentAgain() throws Exception {
    try (StagingPool pool = new StagingPool(device, 1 << 20)) {
      for (int i = 0; i < 5; i++) {
        try (StagingBuffer small = pool.acquire(1, BufferUse.UPLOAD);
            StagingBuffer large = pool.acquire((1 << 17) + 1, BufferUse.READBACK)) {
          assertThat(small.bytes()).isEqualTo(StagingPool.SMALLEST);
          assertThat(large.bytes()).isEqualTo(1 << 18);
          assertThat(large.mapped().capacity()).isEqualTo(1 << 18);
          assertThat(pool.lent()).isEqualTo(2);
        }
      }
      assertThat(pool.lent()).isZero();
      assertThat(pool.allocations()).isEqualTo(2);
      assertThat(pool.bytes()).isEqualTo((1 << 16) + (1 << 18));
      assertThat(liveBytes()).isEqualTo(pool.bytes());
    }
  }

  @Test
  void manyCopiesTakeOneSubmissionAndOneWait() throws Exception {
    MemoryPlan plan = plan(4000, 4000, 4000);
    try (Arena arena = Arena.reserve(device, plan);
        StagingPool pool = new StagingPool(device, 1 << 20)) {
      long before = device.counters().allocations();
      for (int run = 0; run < 4; run++) {
        try (Commands commands = device.begin();
            Transfer transfer = pool.transfer(commands)) {
          List<Readback> results = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            float first = 100 * run + i;
            transfer.upload(
                arena.range(plan.slot("v" + i)), bytes -> bytes.asFloatBuffer().put(first));
          }
          for (int i = 0; i < 3; i++) {
            results.add(transfer.readback(arena.range(plan.slot("v" + i), 4)));
          }
          assertThatThrownBy(() -> results.get(0).floats())
              .hasMessageContaining("wait until the submission has completed");
          transfer.submit().await();
          for (int i = 0; i < 3; i++) {
            assertThat(results.get(i).floats()).containsExactly(100 * run + i);
          }
        }
      }
      assertThat(pool.allocations()).as("one buffer up, one down").isEqualTo(2);
      assertThat(device.counters().allocations() - before).isEqualTo(2);
    }
  }

  @Test
  void aTransferIsRecordedOnceAndReadUntilItIsClosed() throws Exception {
    MemoryPlan plan = plan(16);
    try (Arena arena = Arena.reserve(device, plan);
        StagingPool pool = new StagingPool(device, 1 << 20);
        Commands commands = device.begin()) {
      BufferRange range = arena.range(plan.slot("v0"));
      Transfer transfer = pool.transfer(commands);
      assertThatThrownBy(() -> transfer.upload(range, ByteBuffer.allocate(12)))
          .hasMessage("Cannot upload 12 bytes to a range of 16: the lengths must be equal");
      Readback read = transfer.readback(range);
      transfer.submit().await();
      assertThatThrownBy(() -> transfer.upload(range, ByteBuffer.allocate(16)))
          .hasMessage("Cannot record a transfer: it is submitted");
      assertThat(read.floats()).hasSize(4);
      transfer.close();
      transfer.close();
      assertThatThrownBy(read::bytes)
          .hasMessage("Cannot read what was read back: the transfer is closed");
      assertThat(pool.lent()).isZero();
    }
  }

  @Test
  void aTransferThatIsNotSubmittedGivesItsBuffersBack() throws Exception {
    MemoryPlan plan = plan(16);
    try (Arena arena = Arena.reserve(device, plan);
        StagingPool pool = new StagingPool(device, 1 << 20)) {
      try (Commands commands = device.begin();
          Transfer transfer = pool.transfer(commands)) {
        transfer.upload(arena.range(plan.slot("v0")), ByteBuffer.allocate(16));
        assertThat(pool.lent()).isEqualTo(1);
      }
      assertThat(pool.lent()).isZero();
    }
  }

  @Test
  void whatCanNeverBeLentIsAnErrorAtOnce() {
    try (StagingPool pool = new StagingPool(device, 1 << 20)) {
      assertThatThrownBy(() -> pool.acquire((1 << 20) + 1, BufferUse.UPLOAD))
          .hasMessageContaining("Cannot acquire a staging buffer of 1048577 bytes for UPLOAD")
          .hasMessageContaining("copy in smaller pieces");
      assertThatThrownBy(() -> pool.acquire(-1, BufferUse.UPLOAD))
          .hasMessageContaining("Cannot acquire a staging buffer of -1 bytes");
      assertThatThrownBy(() -> pool.acquire(1, BufferUse.DEVICE))
          .hasMessageContaining("for DEVICE");
    }
    assertThatThrownBy(() -> new StagingPool(device, 100))
        .hasMessage("Cannot make a staging pool of 100 bytes: at least 65536 are needed");
  }

  @Test
  void theBudgetHolds() throws Exception {
    Duration brief = Duration.ofMillis(20);
    try (StagingPool pool = new StagingPool(device, 1 << 18, brief)) {
      StagingBuffer half = pool.acquire(1 << 17, BufferUse.UPLOAD);
      StagingBuffer other = pool.acquire(1 << 17, BufferUse.UPLOAD);
      assertThatThrownBy(() -> pool.acquire(1, BufferUse.READBACK))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("within PT0.02S: 262144 of 262144 bytes are held, 2 buffers lent");
      half.close();
      try (StagingBuffer lentLarger = pool.acquire(1, BufferUse.UPLOAD)) {
        assertThat(lentLarger.bytes()).isEqualTo(1 << 17);
      }
      try (StagingBuffer inFreedRoom = pool.acquire(1, BufferUse.READBACK)) {
        assertThat(inFreedRoom.bytes()).isEqualTo(StagingPool.SMALLEST);
      }
      other.close();
      assertThat(liveBytes()).isLessThanOrEqualTo(1 << 18);
    }
  }

  @Test
  void buffersThatComeBackAfterCloseAreFreed() throws Exception {
    StagingPool pool = new StagingPool(device, 1 << 20);
    StagingBuffer lent = pool.acquire(1, BufferUse.UPLOAD);
    pool.acquire(1, BufferUse.READBACK).close();
    pool.close();
    pool.close();
    assertThat(liveBuffers()).isEqualTo(1);
    lent.close();
    lent.close();
    assertThat(liveBuffers()).isZero();
    assertThatThrownBy(lent::mapped).hasMessage("Cannot use a staging buffer: it was given back");
    assertThatThrownBy(() -> pool.acquire(1, BufferUse.UPLOAD))
        .hasMessage("Cannot acquire a staging buffer: the pool is closed");
  }
}
