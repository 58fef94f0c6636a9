/**
 * Planning: layouts, liveness, memory plan, schedule; the result is an immutable plan.
 *
 * <pre>{@code
 * Planner planner = new Planner("cpu", device.kernels(), device.allocationLimit());
 * ShapeBuckets buckets = new ShapeBuckets(Map.of("tokens", 4096L, "sequences", 256L));
 * PlanCache plans = new PlanCache(buckets, bucket -> planner.plan(graph, revision, bucket));
 *
 * // reserve: the largest bucket decides how much memory all runs share
 * ExecutionPlan largest = plans.largest();
 * System.out.println(largest.memory().summary());
 *
 * // plan: a run's sizes fall in a bucket; its plan is made once
 * ExecutionPlan plan = plans.plan(Map.of("tokens", 1234L, "sequences", 40L));
 * System.out.println(plan.describe());
 * System.out.println(plan.memory().report());
 * }</pre>
 *
 * <p>What a plan needs at run time, an arena, weights, and staging memory, is in {@link
 * dev.caldera.memory}.
 */
@NullMarked
package dev.caldera.plan;

import org.jspecify.annotations.NullMarked;
