package dev.caldera.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class PlanCacheTest {
  private static final ShapeBuckets BUCKETS = new ShapeBuckets(Map.of("tokens", 256L));

  @Test
  void runsOfOneBucketShareAPlan() {
    PlanCache cache = new PlanCache(BUCKETS, PlanCacheTest::plan);
    ExecutionPlan plan = cache.plan(Map.of("tokens", 33L));
    assertThat(cache.plan(Map.of("tokens", 64L))).isSameAs(plan);
    assertThat(cache.plan(Map.of("tokens", 65L))).isNotSameAs(plan);
    assertThat(cache.largest().bucket()).isEqualTo(Map.of("tokens", 256L));
    assertThat(cache.planned()).isEqualTo(3);
  }

  @Test
  void oneOfManyCallersPlans() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(6);
    CyclicBarrier start = new CyclicBarrier(6);
    PlanCache cache = new PlanCache(BUCKETS, PlanCacheTest::plan);
    try {
      List<Future<ExecutionPlan>> plans = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        long tokens = 40 + i;
        plans.add(
            threads.submit(
                () -> {
                  start.await();
                  return cache.plan(Map.of("tokens", tokens));
                }));
      }
      ExecutionPlan first = plans.get(0).get(10, TimeUnit.SECONDS);
      for (Future<ExecutionPlan> plan : plans) {
        assertThat(plan.get(10, TimeUnit.SECONDS)).isSameAs(first);
      }
      assertThat(cache.planned()).isEqualTo(1);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aPlanningThatFailsIsTriedAnew() {
    AtomicBoolean broken = new AtomicBoolean(true);
    PlanCache cache =
        new PlanCache(
            BUCKETS,
            bucket -> {
              if (broken.getAndSet(false)) {
                throw new IllegalArgumentException("Cannot plan node x");
              }
              return plan(bucket);
            });
    assertThatThrownBy(() -> cache.plan(Map.of("tokens", 1L))).hasMessage("Cannot plan node x");
    assertThat(cache.plan(Map.of("tokens", 1L)).bucket()).isEqualTo(Map.of("tokens", 16L));
  }

  private static ExecutionPlan plan(Map<String, Long> bucket) {
    MemoryPlan memory = new MemoryPlanner(1 << 20).plan(List.of(), 0);
    return new ExecutionPlan("g", bucket, List.of(), Map.of(), Map.of(), Map.of(), memory);
  }
}
