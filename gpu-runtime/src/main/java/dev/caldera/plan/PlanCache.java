package dev.caldera.plan;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The plans of one model on one device, one a shape bucket. Thread-safe: callers that need the same
 * new plan at once wait for one of them to make it, and a planning that fails is tried anew by the
 * next caller.
 */
public final class PlanCache {
  private final ShapeBuckets buckets;
  private final Function<Map<String, Long>, ExecutionPlan> planner;
  private final Map<Map<String, Long>, ExecutionPlan> plans = new ConcurrentHashMap<>();
  private final AtomicInteger planned = new AtomicInteger();

  /**
   * An empty cache.
   *
   * @param buckets the rule by which sizes share a plan
   * @param planner makes the plan of a bucket
   */
  public PlanCache(ShapeBuckets buckets, Function<Map<String, Long>, ExecutionPlan> planner) {
    this.buckets = buckets;
    this.planner = planner;
  }

  /**
   * The plan for a run.
   *
   * @param sizes actual size of each symbolic dim
   * @throws IllegalArgumentException as {@link ShapeBuckets#bucket} and {@link Planner#plan} say
   */
  public ExecutionPlan plan(Map<String, Long> sizes) {
    return plans.computeIfAbsent(
        buckets.bucket(sizes),
        bucket -> {
          planned.incrementAndGet();
          return planner.apply(bucket);
        });
  }

  /** The plan of the largest bucket: what an arena is reserved for. */
  public ExecutionPlan largest() {
    return plan(buckets.largest());
  }

  /** How often a plan was made. */
  public int planned() {
    return planned.get();
  }
}
