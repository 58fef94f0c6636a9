package dev.caldera.backend.vulkan;

import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.plan.KernelChoice;
import dev.caldera.plan.Step;
import java.util.Optional;

/**
 * One op's implementation on Vulkan; stateless and shared by all devices of the process.
 *
 * <p>A kernel has three turns. When a graph is planned, {@link #choose} says whether it takes a
 * node and how the operands must stand. When the plan is compiled for a device, {@link #prepare}
 * checks the operands and asks for pipelines. Each run then records dispatches through what {@code
 * prepare} gave, with the actual sizes:
 *
 * <pre>{@code
 * public StepRecorder prepare(Step step, Pipelines pipelines) {
 *   Op.Softmax softmax = (Op.Softmax) step.op();
 *   Shape shape = step.inputs().get(0).type().shape();
 *   Pipeline pipeline = pipelines.pipeline(ShaderRegistry.SOFTMAX, (int) columns);
 *   return run -> {
 *     long rows = run.size(shape.rows());
 *     run.address(run.input(0)).address(run.output(0)).integer(rows);
 *     run.dispatch(pipeline, (rows + 3) / 4, 1, 1);
 *   };
 * }
 * }</pre>
 */
interface VulkanKernel {

  /** Its name in plans, messages and profiles. */
  String name();

  /** Whether it takes {@code node} and how the operands must then stand; empty when it does not. */
  Optional<KernelChoice> choose(Graph graph, Node node);

  /**
   * Checks a step's operands and makes its pipelines.
   *
   * @throws IllegalArgumentException if the kernel cannot take the operands; names what and why
   */
  StepRecorder prepare(Step step, Pipelines pipelines);
}
