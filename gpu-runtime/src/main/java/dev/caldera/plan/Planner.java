package dev.caldera.plan;

import dev.caldera.graph.Graph;
import java.util.Map;
import java.util.TreeMap;

/**
 * Turns a graph and a shape bucket into an {@link ExecutionPlan}. Thread-safe.
 *
 * <p>Steps:
 *
 * <ol>
 *   <li>check the bucket against the graph's limits;
 *   <li>schedule the nodes in the graph's order, a step each: the backend's catalog names the
 *       kernel and the layout of each operand; a view becomes an offset instead of a step, and
 *       where producer and consumer want different layouts a conversion step is put between them;
 *   <li>place all values by their live ranges ({@link MemoryPlanner});
 *   <li>bind the steps' operands to slots.
 * </ol>
 *
 * <p>Graph inputs and outputs are row-major, whatever the kernels want: the host uploads and reads
 * them as they stand.
 */
public final class Planner {
  private final String backend;
  private final KernelCatalog kernels;
  private final MemoryPlanner memory;

  /**
   * A planner for one device.
   *
   * @param backend its name in messages: "vulkan" or "cpu"
   * @param kernels what it can run
   * @param allocationLimit the most bytes that one of its allocations may have
   */
  public Planner(String backend, KernelCatalog kernels, long allocationLimit) {
    this.backend = backend;
    this.kernels = kernels;
    this.memory = new MemoryPlanner(allocationLimit);
  }

  /**
   * Plans a graph for a bucket.
   *
   * @param graph what to compute
   * @param model identity of the model's content; part of the key of each weight
   * @param bucket capacity of each symbolic dim
   * @throws IllegalArgumentException if the bucket is over a limit of the graph or leaves a dim
   *     unbound, if the backend has no kernel for a node or cannot convert a layout, or if a value
   *     is larger than an allocation; the message names the node or value
   */
  public ExecutionPlan plan(Graph graph, String model, Map<String, Long> bucket) {
    checkBucket(graph, bucket);
    Scheduler scheduler = new Scheduler(backend, kernels, graph, model, bucket);
    return scheduler.schedule(memory);
  }

  private static void checkBucket(Graph graph, Map<String, Long> bucket) {
    new TreeMap<>(bucket)
        .forEach(
            (symbol, size) -> {
              Long limit = graph.limits().get(symbol);
              if (size < 1 || (limit != null && size > limit)) {
                throw new IllegalArgumentException(
                    String.format(
                        "Cannot plan graph %s for %s = %d: it must be from 1 to %s",
                        graph.name(), symbol, size, limit == null ? "any size" : limit));
              }
            });
  }
}
