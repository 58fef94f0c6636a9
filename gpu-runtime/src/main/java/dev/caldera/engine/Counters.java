package dev.caldera.engine;

import java.util.concurrent.atomic.LongAdder;

/** What an engine counts; thread-safe. */
final class Counters {
  final LongAdder requests = new LongAdder();
  final LongAdder rows = new LongAdder();
  final LongAdder batches = new LongAdder();
  final LongAdder tokens = new LongAdder();
  final LongAdder truncated = new LongAdder();
  final LongAdder halved = new LongAdder();
  final LongAdder failed = new LongAdder();
  final LongAdder modelLoads = new LongAdder();
  final LongAdder loadNanos = new LongAdder();
  final LongAdder deviceNanos = new LongAdder();
  final LongAdder waitNanos = new LongAdder();
  final LongAdder idleNanos = new LongAdder();

  /** A snapshot. */
  EngineMetrics snapshot(long uploads) {
    return new EngineMetrics(
        requests.sum(),
        rows.sum(),
        batches.sum(),
        tokens.sum(),
        truncated.sum(),
        halved.sum(),
        failed.sum(),
        modelLoads.sum(),
        uploads,
        loadNanos.sum(),
        deviceNanos.sum(),
        waitNanos.sum(),
        idleNanos.sum());
  }
}
