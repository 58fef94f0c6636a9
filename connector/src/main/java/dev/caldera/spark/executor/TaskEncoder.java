package dev.caldera.spark.executor;

import dev.caldera.engine.Encoder;

/**
 * An encoder as one task holds it.
 *
 * @param encoder closed by the task
 * @param loads uploads of the model that this task is the first to see
 * @param loadNanos time that they took
 */
public record TaskEncoder(Encoder encoder, long loads, long loadNanos) {}
