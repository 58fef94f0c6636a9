package dev.caldera.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.graph.DType;
import dev.caldera.plan.Layout;
import dev.caldera.plan.MemoryPlan;
import dev.caldera.plan.Operand;
import dev.caldera.plan.Slot;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an {@link Arena} does on every device; each row of its features. */
public abstract class ArenaContract extends MemoryContract {
  private static final Map<String, Long> THREE = Map.of("tokens", 3L);

  @Test
  void floatsComeBackAsTheyWereUploaded() throws Exception {
    MemoryPlan plan = plan(64, 5 * 7 * 4);
    Operand.SlotOperand slot = tensor(plan, 1, DType.F32, Layout.rowMajor(), 5, 7);
    try (Arena arena = Arena.reserve(device, plan);
        StagingPool staging = new StagingPool(device, 1 << 20);
        Commands commands = device.begin();
        Transfer transfer = staging.transfer(commands)) {
      SlotTransfers slots = new SlotTransfers(arena, transfer);
      slots.upload(slot, ramp(50), 4, 35);
      Readback all = slots.readback(slot, Map.of("tokens", 5L));
      Readback actual = slots.readback(slot, THREE);
      transfer.submit().await();
      assertThat(all.floats()).hasSize(35).startsWith(4.25f, 5.25f).endsWith(38.25f);
      assertThat(actual.floats()).hasSize(21).endsWith(24.25f);
      float[] joined = new float[25];
      actual.floats(joined, 4);
      assertThat(joined).startsWith(0, 0, 0, 0, 4.25f).endsWith(24.25f);
    }
  }

  @Test
  void integersComeBackBitForBit() throws Exception {
    MemoryPlan plan = plan(4 * 4, 4 * 8);
    Operand.SlotOperand ints = tensor(plan, 0, DType.I32, Layout.rowMajor(), 4, 1);
    Operand.SlotOperand longs = tensor(plan, 1, DType.I64, Layout.rowMajor(), 4, 1);
    int[] intValues = {Integer.MIN_VALUE, -1, 0x7fc00001, 0x7f800001};
    long[] longValues = {Long.MIN_VALUE, -1, 0x7ff8000000000001L, 1L << 40};
    try (Arena arena = Arena.reserve(device, plan);
        StagingPool staging = new StagingPool(device, 1 << 20);
        Commands commands = device.begin();
        Transfer transfer = staging.transfer(commands)) {
      SlotTransfers slots = new SlotTransfers(arena, transfer);
      slots.upload(ints, intValues, 0, 4);
      slots.upload(longs, longValues, 0, 4);
      Readback readInts = slots.readback(ints, Map.of("tokens", 4L));
      Readback readLongs = slots.readback(longs, Map.of("tokens", 4L));
      transfer.submit().await();
      assertThat(readInts.ints()).isEqualTo(intValues);
      assertThat(readLongs.longs()).isEqualTo(longValues);
    }
  }

  @Test
  void bytesOfAnyLengthComeBack() throws Exception {
    MemoryPlan plan = plan(11);
    Operand.SlotOperand slot = tensor(plan, 0, DType.U8, Layout.rowMajor(), 11, 1);
    byte[] values = {1, -2, 3, -4, 5};
    try (Arena arena = Arena.reserve(device, plan);
        StagingPool staging = new StagingPool(device, 1 << 20);
        Commands commands = device.begin();
        Transfer transfer = staging.transfer(commands)) {
      SlotTransfers slots = new SlotTransfers(arena, transfer);
      slots.upload(slot, ByteBuffer.wrap(new byte[11]));
      slots.upload(slot, ByteBuffer.wrap(values));
      Readback read = slots.readback(slot, Map.of("tokens", 7L));
      transfer.submit().await();
      byte[] back = new byte[7];
      read.bytes().get(back);
      assertThat(back).containsExactly(1, -2, 3, -4, 5, 0, 0);
    }
  }

  @Test
  void hostDataIsConvertedToTheSlotsLayoutAndBack() throws Exception {
    Layout blocks = new Layout.ColumnBlocks(4);
    MemoryPlan plan = plan(blocks.bytes(DType.F32, 5, 7));
    Operand.SlotOperand slot = tensor(plan, 0, DType.F32, blocks, 5, 7);
    try (Arena arena = Arena.reserve(device, plan);
        StagingPool staging = new StagingPool(device, 1 << 20);
        Commands commands = device.begin();
        Transfer transfer = staging.transfer(commands)) {
      SlotTransfers slots = new SlotTransfers(arena, transfer);
      slots.upload(slot, ramp(21), 0, 21);
      Readback rows = slots.readback(slot, THREE);
      Readback raw = transfer.readback(arena.range(slot.slot()));
      transfer.submit().await();
      assertThat(rows.floats()).isEqualTo(ramp(21));
      float[] blocked = raw.floats();
      assertThat(blocked[4]).as("row 1 of block 0").isEqualTo(7.25f);
      assertThat(blocked[5 * 4]).as("row 0 of block 1").isEqualTo(4.25f);
      assertThat(blocked[5 * 4 + 3]).as("padding").isZero();
    }
  }

  @Test
  void anOverlongLengthIsAnError() throws Exception {
    MemoryPlan plan = plan(3 * 2 * 4);
    Operand.SlotOperand slot = tensor(plan, 0, DType.F32, Layout.rowMajor(), 3, 2);
    try (Arena arena = Arena.reserve(device, plan);
        StagingPool staging = new StagingPool(device, 1 << 20);
        Commands commands = device.begin();
        Transfer transfer = staging.transfer(commands)) {
      SlotTransfers slots = new SlotTransfers(arena, transfer);
      assertThatThrownBy(() -> slots.upload(slot, ramp(7), 0, 7))
          .hasMessage("Cannot upload 7 values to slot v0 of f32[tokens, 2]: it holds 6");
      assertThatThrownBy(() -> slots.upload(slot, new int[1], 0, 1))
          .hasMessage("Cannot upload I32 values to slot v0: its type is f32[tokens, 2]");
      assertThatThrownBy(() -> slots.upload(slot, ByteBuffer.allocate(5)))
          .hasMessageContaining("Cannot upload 5 bytes to slot v0");
      assertThatThrownBy(() -> slots.readback(slot, Map.of("tokens", 4L)))
          .hasMessageContaining("Cannot use slot v0 of f32[tokens, 2] for {tokens=4}");
      assertThatThrownBy(() -> arena.range(plan.slot("v0"), 25))
          .hasMessageContaining("Cannot use 25 bytes of")
          .hasMessageContaining("its capacity is 24");
      assertThatThrownBy(() -> arena.range(new Slot(0, 0, 1 << 20)))
          .hasMessageContaining("Cannot find")
          .hasMessageContaining("reserve it for the slot's plan");
      assertThatThrownBy(() -> arena.range(new Slot(3, 0, 1))).hasMessageContaining("Cannot find");
    }
  }

  @Test
  void rangesAndPrefixesAreCopiedInsideTheArena() throws Exception {
    MemoryPlan plan = plan(64, 64, 64);
    try (Arena arena = Arena.reserve(device, plan);
        StagingPool staging = new StagingPool(device, 1 << 20);
        Commands commands = device.begin();
        Transfer transfer = staging.transfer(commands)) {
      ByteBuffer zeros = ByteBuffer.allocate(64);
      transfer.upload(arena.range(plan.slot("v0")), bytes -> bytes.asFloatBuffer().put(ramp(16)));
      transfer.upload(arena.range(plan.slot("v1")), zeros);
      transfer.upload(arena.range(plan.slot("v2")), zeros);
      arena.copy(commands, plan.slot("v0"), 8, plan.slot("v1"), 16, 12);
      arena.copyPrefix(commands, plan.slot("v0"), plan.slot("v2"), 8);
      arena.copy(commands, plan.slot("v2"), 0, plan.slot("v2"), 32, 8);
      arena.copyPrefix(commands, plan.slot("v0"), plan.slot("v2"), 0);
      Readback range = transfer.readback(arena.range(plan.slot("v1")));
      Readback prefix = transfer.readback(arena.range(plan.slot("v2")));
      transfer.submit().await();
      assertThat(range.floats()).startsWith(0, 0, 0, 0, 2.25f, 3.25f, 4.25f, 0);
      assertThat(prefix.floats()).startsWith(0.25f, 1.25f, 0, 0, 0, 0, 0, 0, 0.25f, 1.25f, 0);
      assertThatThrownBy(() -> arena.copy(commands, plan.slot("v0"), 60, plan.slot("v1"), 0, 8))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> arena.copyPrefix(commands, plan.slot("v0"), plan.slot("v1"), 68))
          .hasMessageContaining("Cannot use 68 bytes of");
    }
  }

  @Test
  void aSlotIsCopiedToATwin() throws Exception {
    MemoryPlan plan = plan(64, 32);
    try (Arena arena = Arena.reserve(device, plan);
        Arena twin = Arena.reserve(device, plan);
        StagingPool staging = new StagingPool(device, 1 << 20);
        Commands commands = device.begin();
        Transfer transfer = staging.transfer(commands)) {
      transfer.upload(arena.range(plan.slot("v0")), bytes -> bytes.asFloatBuffer().put(ramp(16)));
      arena.copyToTwin(commands, twin, plan.slot("v0"), 12);
      Readback copied = transfer.readback(twin.range(plan.slot("v0"), 16));
      transfer.submit().await();
      assertThat(copied.floats()).containsExactly(0.25f, 1.25f, 2.25f, 0);
    }
  }

  @Test
  void theScratchZoneLiesBehindTheSlots() throws Exception {
    MemoryPlan plan = limitedPlan(40, 1 << 28, 64);
    try (Arena arena = Arena.reserve(device, plan);
        StagingPool staging = new StagingPool(device, 1 << 20);
        Commands commands = device.begin();
        Transfer transfer = staging.transfer(commands)) {
      transfer.upload(arena.range(plan.slot("v0")), bytes -> bytes.asFloatBuffer().put(ramp(16)));
      transfer.upload(arena.range(plan.scratch()), bytes -> bytes.asFloatBuffer().put(ramp(10)));
      Readback slot = transfer.readback(arena.range(plan.slot("v0")));
      Readback scratch = transfer.readback(arena.range(plan.scratch()));
      transfer.submit().await();
      assertThat(slot.floats()).isEqualTo(ramp(16));
      assertThat(scratch.floats()).isEqualTo(ramp(10));
      assertThat(plan.scratch().offset()).isGreaterThanOrEqualTo(plan.slot("v0").end());
    }
  }

  @Test
  void slotsOfSeveralChunksAreReached() throws Exception {
    MemoryPlan plan = limitedPlan(0, 2048, 1024, 1024, 1024);
    try (Arena arena = Arena.reserve(device, plan);
        StagingPool staging = new StagingPool(device, 1 << 20);
        Commands commands = device.begin();
        Transfer transfer = staging.transfer(commands)) {
      assertThat(arena.chunks()).hasSize(3);
      assertThat(arena.bytes()).isEqualTo(plan.peakBytes());
      transfer.upload(arena.range(plan.slot("v0")), bytes -> bytes.asFloatBuffer().put(ramp(256)));
      arena.copyPrefix(commands, plan.slot("v0"), plan.slot("v2"), 1024);
      Readback copied = transfer.readback(arena.range(plan.slot("v2")));
      transfer.submit().await();
      assertThat(copied.floats()).isEqualTo(ramp(256));
    }
  }

  @Test
  void itGrowsForALargerPlanAndNotForASmallerOne() throws Exception {
    MemoryPlan small = plan(1024);
    MemoryPlan large = plan(4096, 4096);
    try (Arena arena = Arena.reserve(device, small)) {
      long before = device.counters().allocations();
      arena.hold(small).close();
      assertThat(device.counters().allocations()).isEqualTo(before);
      assertThat(arena.fits(large)).isFalse();
      arena.hold(large).close();
      arena.hold(small).close();
      arena.hold(large).close();
      assertThat(arena.fits(large)).isTrue();
      assertThat(device.counters().allocations()).isEqualTo(before + 1);
      assertThat(liveBuffers()).isEqualTo(1);
    }
  }

  @Test
  void closingWaitsForWhatIsInFlight() throws Exception {
    MemoryPlan plan = plan(1024);
    Arena arena = Arena.reserve(device, plan);
    Arena.Hold hold = arena.hold(plan);
    arena.close();
    assertThat(liveBuffers()).isEqualTo(1);
    assertThatThrownBy(() -> arena.hold(plan)).hasMessage("Cannot use the arena: it is closed");
    hold.close();
    hold.close();
    assertThat(liveBuffers()).isZero();
  }
}
