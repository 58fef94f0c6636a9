package dev.caldera.backend;

import dev.caldera.memory.Arena;
import dev.caldera.memory.MemoryDevice;
import dev.caldera.memory.WeightPool;
import dev.caldera.plan.ExecutionPlan;
import dev.caldera.plan.KernelCatalog;
import java.util.Map;

/** An opened device: memory, kernels and a queue. Thread-safe; its opener closes it last. */
public interface Device extends MemoryDevice, AutoCloseable {

  /** What it is. */
  DeviceInfo info();

  /** Its kernels, as planning sees them. */
  KernelCatalog kernels();

  /** How an engine should drive it. */
  Driving driving();

  /**
   * Makes a plan runnable: builds pipelines, binds weights. The program holds no memory of its own
   * besides pipelines, and stays valid while {@code weights} is open.
   *
   * @throws IllegalArgumentException if a kernel cannot take the plan's sizes; names step and limit
   */
  Program compile(ExecutionPlan plan, WeightPool.Lease weights);

  /**
   * Makes the device as fast as it gets before the first batch comes, where that takes time of its
   * own: the CPU's kernels are compiled by the JVM only after they have run for a while. Takes some
   * seconds at most; once done, a further call returns at once.
   *
   * @throws InterruptedException if interrupted; the device is usable all the same
   */
  default void warmUp() throws InterruptedException {}

  @Override
  KernelCommands begin();

  /** Waits for what was submitted, then frees the device; buffers must be closed before. */
  @Override
  void close();

  /**
   * How an engine should drive a device.
   *
   * @param workers batches in flight at a time, each fed by a thread of the engine
   * @param arenaPerWorker whether each worker needs an arena of its own (the CPU, where workers run
   *     side by side), or all share one (a GPU's queue, where submissions run one after another)
   * @param batchTokens tokens of a batch that use the device well
   */
  record Driving(int workers, boolean arenaPerWorker, int batchTokens) {}

  /** A plan bound to a device; immutable, shared by all workers. */
  interface Program extends AutoCloseable {
    /** The plan it runs. */
    ExecutionPlan plan();

    @Override
    void close();
  }

  /** A recording that can run programs too. */
  interface KernelCommands extends dev.caldera.memory.Commands {

    /**
     * Runs all steps of {@code program} over {@code arena}.
     *
     * @param sizes actual size of each symbolic dim, at most the plan's bucket
     */
    void run(Program program, Arena arena, Map<String, Long> sizes);
  }
}
