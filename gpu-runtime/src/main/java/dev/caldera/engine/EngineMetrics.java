package dev.caldera.engine;

/**
 * What an engine has done since it was opened; a snapshot.
 *
 * @param requests requests handed over
 * @param rows texts whose vectors were computed
 * @param batches batches run on the device
 * @param tokens tokens run on the device
 * @param truncated texts cut at their model's maximum length
 * @param halved batches that ran out of device memory and were run again in halves
 * @param failed requests that completed exceptionally
 * @param modelLoads models loaded
 * @param uploads uploads of a model's weights to the device
 * @param loadNanos time spent loading models
 * @param deviceNanos time the device took for batches, summed over workers
 * @param waitNanos time from hand-over to a request's first batch, summed over requests
 * @param idleNanos time workers waited for work, summed over workers
 */
public record EngineMetrics(
    long requests,
    long rows,
    long batches,
    long tokens,
    long truncated,
    long halved,
    long failed,
    long modelLoads,
    long uploads,
    long loadNanos,
    long deviceNanos,
    long waitNanos,
    long idleNanos) {}
