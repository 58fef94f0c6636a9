package dev.caldera.backend.cpu;

import dev.caldera.backend.Device;
import dev.caldera.memory.WeightPool;
import dev.caldera.plan.ExecutionPlan;
import dev.caldera.plan.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A plan with its steps prepared and its weights found. */
final class CpuProgram implements Device.Program {
  private final CpuDevice device;
  private final ExecutionPlan plan;
  private final List<StepRun> steps;

  private CpuProgram(CpuDevice device, ExecutionPlan plan, List<StepRun> steps) {
    this.device = device;
    this.plan = plan;
    this.steps = List.copyOf(steps);
  }

  static CpuProgram compile(
      CpuDevice device, CpuKernels kernels, ExecutionPlan plan, WeightPool.Lease weights) {
    List<StepRun> steps = new ArrayList<>();
    for (Step step : plan.steps()) {
      steps.add(kernels.of(step).prepare(step, StepPlaces.of(device, step, weights)));
    }
    return new CpuProgram(device, plan, steps);
  }

  @Override
  public ExecutionPlan plan() {
    return plan;
  }

  boolean isOf(CpuDevice other) {
    return device == other;
  }

  /** Throws unless the arena has the plan's room and the sizes fit its bucket. */
  void check(List<CpuBuffer> chunks, Map<String, Long> sizes) {
    List<Long> needed = plan.memory().chunkBytes();
    for (int i = 0; i < needed.size(); i++) {
      long bytes = i < chunks.size() ? chunks.get(i).bytes() : 0;
      if (bytes < needed.get(i)) {
        throw new IllegalArgumentException(
            "Cannot run plan %s: its chunk %d needs %d bytes, the arena's has %d"
                .formatted(plan.graph(), i, needed.get(i), bytes));
      }
    }
    plan.bucket()
        .forEach(
            (symbol, capacity) -> {
              Long size = sizes.get(symbol);
              if (size == null || size < 0 || size > capacity) {
                throw new IllegalArgumentException(
                    "Cannot run plan %s for %s = %s: its bucket allows 0 to %d"
                        .formatted(plan.graph(), symbol, size, capacity));
              }
            });
  }

  /** Runs all steps in the calling thread. */
  void run(List<CpuBuffer> chunks, Map<String, Long> sizes) {
    RunScope scope = new RunScope(chunks.stream().map(CpuBuffer::array).toList(), sizes);
    for (StepRun step : steps) {
      step.run(scope);
    }
  }

  @Override
  public void close() {}
}
