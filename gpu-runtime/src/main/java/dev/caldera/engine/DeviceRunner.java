package dev.caldera.engine;

import dev.caldera.backend.Device;
import dev.caldera.backend.Device.KernelCommands;
import dev.caldera.backend.Device.Program;
import dev.caldera.memory.Arena;
import dev.caldera.memory.Completion;
import dev.caldera.memory.Readback;
import dev.caldera.memory.SlotTransfers;
import dev.caldera.memory.StagingPool;
import dev.caldera.memory.Transfer;
import dev.caldera.model.EncoderGraph;
import dev.caldera.plan.ExecutionPlan;
import dev.caldera.plan.Operand;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Runs a batch in one submission: upload of the packed tokens, the program's steps, readback of the
 * vectors.
 */
final class DeviceRunner implements BatchRunner {
  private final Device device;
  private final StagingPool staging;
  private final Supplier<Arena> arena;
  private final PackedTokens packed = new PackedTokens();

  /**
   * A runner.
   *
   * @param arena where its batches run; asked for when a batch has come
   */
  DeviceRunner(Device device, StagingPool staging, Supplier<Arena> arena) {
    this.device = device;
    this.staging = staging;
    this.arena = arena;
  }

  @Override
  public void run(Batch batch, Results results) throws InterruptedException {
    batch.model().hold();
    try {
      run(batch, batch.model().program(batch.tokens()), arena.get(), results);
    } finally {
      batch.model().release();
    }
  }

  private void run(Batch batch, Program program, Arena memory, Results results)
      throws InterruptedException {
    ExecutionPlan plan = program.plan();
    Map<String, Long> sizes =
        Map.of(
            EncoderGraph.TOKENS, (long) batch.tokens(),
            EncoderGraph.SEQUENCES, (long) batch.texts());
    packed.pack(batch, batch.model().positionOffset());
    try (Arena.Hold hold = memory.hold(plan.memory());
        KernelCommands commands = device.begin();
        Transfer transfer = staging.transfer(commands)) {
      SlotTransfers slots = new SlotTransfers(memory, transfer);
      upload(plan, slots, EncoderGraph.TOKEN_IDS, packed.ids(), batch.tokens());
      upload(plan, slots, EncoderGraph.POSITIONS, packed.positions(), batch.tokens());
      upload(plan, slots, EncoderGraph.TYPE_IDS, packed.types(), batch.tokens());
      upload(plan, slots, EncoderGraph.STARTS, packed.starts(), batch.texts() + 1);
      commands.run(program, memory, sizes);
      Readback vectors =
          slots.readback(
              Objects.requireNonNull(plan.outputs().get(EncoderGraph.EMBEDDINGS)), sizes);
      Completion completion = transfer.submit();
      await(completion);
      results.accept(vectors.bytes().asFloatBuffer(), completion.deviceNanos());
    }
  }

  /** Uploads a graph input; a graph that does not read it has no slot for it. */
  private static void upload(
      ExecutionPlan plan, SlotTransfers slots, String input, int[] values, int count)
      throws InterruptedException {
    Operand.SlotOperand slot = plan.inputs().get(input);
    if (slot != null) {
      slots.upload(slot, values, 0, count);
    }
  }

  /** Waits even when interrupted: the device may still write to what the run holds. */
  private static void await(Completion completion) throws InterruptedException {
    InterruptedException interrupt = null;
    while (true) {
      try {
        completion.await();
        break;
      } catch (InterruptedException e) {
        interrupt = e;
      }
    }
    if (interrupt != null) {
      throw interrupt;
    }
  }
}
