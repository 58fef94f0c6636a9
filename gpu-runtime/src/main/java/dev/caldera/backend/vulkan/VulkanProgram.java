package dev.caldera.backend.vulkan;

import dev.caldera.backend.Device;
import dev.caldera.memory.WeightPool;
import dev.caldera.plan.ExecutionPlan;
import dev.caldera.plan.Operand;
import dev.caldera.plan.Step;
import java.nio.ByteBuffer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A plan with its pipelines made and its weights' addresses known; it owns nothing. */
final class VulkanProgram implements Device.Program {
  private final VulkanContext context;
  private final ExecutionPlan plan;
  private final List<BoundStep> steps;
  private final Set<VulkanBuffer> weights;

  /** A step, how it is recorded, and where its operands lie. */
  record BoundStep(Step step, StepRecorder recorder, StepOperands operands) {}

  private VulkanProgram(
      VulkanContext context, ExecutionPlan plan, List<BoundStep> steps, Set<VulkanBuffer> weights) {
    this.context = context;
    this.plan = plan;
    this.steps = List.copyOf(steps);
    this.weights = weights;
  }

  /**
   * Prepares every step, and records all of them once at the bucket's sizes to check the limits.
   */
  static VulkanProgram compile(
      VulkanContext context,
      VulkanKernels kernels,
      Pipelines pipelines,
      ExecutionPlan plan,
      WeightPool.Lease lease) {
    List<BoundStep> steps =
        plan.steps().stream()
            .map(
                step ->
                    new BoundStep(
                        step,
                        kernels.kernel(step.kernel()).prepare(step, pipelines),
                        StepOperands.resolve(plan, step, lease)))
            .toList();
    Set<VulkanBuffer> weights = new LinkedHashSet<>();
    for (Operand.WeightOperand weight : plan.weights().keySet()) {
      weights.add((VulkanBuffer) lease.range(weight.key()).buffer());
    }
    VulkanProgram program = new VulkanProgram(context, plan, steps, weights);
    program.checkLimits();
    return program;
  }

  private void checkLimits() {
    if (steps.isEmpty()) {
      return;
    }
    StepRecording check =
        new StepRecording(
            context.limits(),
            plan.bucket(),
            new long[plan.memory().chunkBytes().size()],
            ByteBuffer.allocate(context.limits().pushConstantBytes()),
            DispatchSink.NONE,
            steps.get(0));
    steps.forEach(check::record);
  }

  @Override
  public ExecutionPlan plan() {
    return plan;
  }

  /** The device it was compiled for. */
  VulkanContext context() {
    return context;
  }

  /** Its steps, in order. */
  List<BoundStep> steps() {
    return steps;
  }

  /** The buffers that hold its weights. */
  Set<VulkanBuffer> weights() {
    return weights;
  }

  /**
   * Checks the sizes of a run.
   *
   * @throws IllegalArgumentException if a symbol has no size, or one over the bucket's
   */
  void checkSizes(Map<String, Long> sizes) {
    plan.bucket()
        .forEach(
            (symbol, capacity) -> {
              Long size = sizes.get(symbol);
              if (size == null || size < 0 || size > capacity) {
                throw new IllegalArgumentException(
                    "Cannot run plan "
                        + plan.graph()
                        + ": "
                        + symbol
                        + " is "
                        + size
                        + ", the plan's bucket takes 0 to "
                        + capacity);
              }
            });
  }

  /** Does nothing: the device keeps pipelines for the next program that needs them. */
  @Override
  public void close() {}
}
