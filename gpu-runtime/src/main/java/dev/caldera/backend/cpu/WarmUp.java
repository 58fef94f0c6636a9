package dev.caldera.backend.cpu;

import dev.caldera.backend.Device;
import dev.caldera.memory.BufferRange;
import dev.caldera.memory.BufferUse;
import dev.caldera.memory.DeviceBuffer;
import dev.caldera.memory.WeightPool;
import dev.caldera.plan.ExecutionPlan;
import dev.caldera.plan.Operand;
import dev.caldera.plan.Planner;
import dev.caldera.plan.WeightKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs the kernels that encoders spend their time in on made-up data, so that the JVM has compiled
 * them before the first real batch: without it the first seconds run at a tenth of the speed.
 *
 * <p>Every thread runs batches of texts of 1 to {@link #LONGEST} tokens through one layer of an
 * encoder with weights of zero, which touches every height of tile. The time is given, not
 * measured: compiled code replaces the interpreter's piece by piece, and a pause in the gain says
 * little.
 */
final class WarmUp {
  private static final long NANOS = 2_500_000_000L;
  private static final int LONGEST = 256;
  private static final int TOKENS = 512;
  private static final int SEQUENCES = 64;

  private final CpuDevice device;
  private final ExecutionPlan plan;
  private final long end = System.nanoTime() + NANOS;

  private WarmUp(CpuDevice device) {
    this.device = device;
    Map<String, Long> bucket = Map.of("tokens", (long) TOKENS, "sequences", (long) SEQUENCES);
    this.plan =
        new Planner("cpu", device.kernels(), device.allocationLimit())
            .plan(WarmUpGraph.build(), "warm-up", bucket);
  }

  /** Runs on {@code threads} threads and returns when all have ended. */
  static void run(CpuDevice device, int threads) throws InterruptedException {
    WarmUp warmUp = new WarmUp(device);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (DeviceBuffer weights = device.allocate(warmUp.largestWeight(), BufferUse.DEVICE)) {
      Callable<Integer> work = warmUp.work(device.compile(warmUp.plan, new Zeros(weights)));
      for (Future<Integer> worker : pool.invokeAll(Collections.nCopies(threads, work))) {
        worker.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("Cannot warm up the CPU: " + e.getCause(), e);
    } finally {
      pool.shutdownNow();
    }
  }

  private long largestWeight() {
    return plan.weights().keySet().stream().mapToLong(WarmUp::bytes).max().orElseThrow();
  }

  private static long bytes(Operand.WeightOperand weight) {
    long rows = weight.type().shape().rows().evaluate(Map.of());
    long columns = weight.type().shape().columns().evaluate(Map.of());
    return weight.layout().bytes(weight.type().dtype(), rows, columns);
  }

  /** A worker: runs batches until the time is over or it is interrupted; returns their number. */
  private Callable<Integer> work(Device.Program program) {
    return () -> {
      List<CpuBuffer> arena = new ArrayList<>();
      try {
        for (long bytes : plan.memory().chunkBytes()) {
          arena.add(device.own(device.allocate(bytes, BufferUse.DEVICE)));
        }
        Random random = new Random(1);
        int batches = 0;
        while (System.nanoTime() < end && !Thread.currentThread().isInterrupted()) {
          ((CpuProgram) program).run(arena, fill(arena, random));
          batches++;
        }
        return batches;
      } finally {
        arena.forEach(CpuBuffer::close);
      }
    };
  }

  /** Writes starts of texts of random lengths; all ids stay 0. Returns the batch's sizes. */
  private Map<String, Long> fill(List<CpuBuffer> arena, Random random) {
    Operand.SlotOperand starts = Objects.requireNonNull(plan.inputs().get("starts"));
    float[] data = arena.get(starts.slot().chunk()).array();
    int at = CpuBuffer.FIRST + (int) (starts.slot().offset() / Float.BYTES);
    int sequences = 0;
    int tokens = 0;
    Bits.putInt(data, at, 0);
    for (int room = TOKENS; room > 0 && sequences < SEQUENCES; room = TOKENS - tokens) {
      tokens += Math.min(room, 1 + random.nextInt(1 + random.nextInt(LONGEST)));
      sequences++;
      Bits.putInt(data, at + sequences, tokens);
    }
    return Map.of("tokens", (long) tokens, "sequences", (long) sequences);
  }

  /** Every weight is the beginning of one buffer of zeros. */
  private record Zeros(DeviceBuffer buffer) implements WeightPool.Lease {
    @Override
    public BufferRange range(WeightKey key) {
      return new BufferRange(buffer, 0, buffer.bytes());
    }

    @Override
    public void close() {}
  }
}
