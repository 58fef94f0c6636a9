package dev.caldera.spark.executor;

import dev.caldera.engine.Encoder.ModelFacts;
import java.util.HashMap;
import java.util.Map;

/**
 * Which uploads of models were already counted by a task, so that the tasks' counts add up to what
 * the executor did.
 */
final class LoadLedger {
  private final Map<String, Long> counted = new HashMap<>();

  /** The loads of this model that no task has counted yet; they are counted now. */
  synchronized ModelLoads take(ModelFacts facts) {
    long before = counted.getOrDefault(facts.revision(), 0L);
    counted.put(facts.revision(), Math.max(before, facts.uploads()));
    long loads = Math.max(0, facts.uploads() - before);
    return new ModelLoads(loads, loads == 0 ? 0 : facts.loadNanos());
  }

  /** Uploads counted until now, all models together. */
  synchronized long uploads() {
    return counted.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Loads of a model.
   *
   * @param loads uploads to the device
   * @param nanos time of the last
   */
  record ModelLoads(long loads, long nanos) {}
}
