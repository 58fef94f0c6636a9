package dev.caldera.spark.task;

import java.io.Serializable;

/**
 * Where a batch of rows ends.
 *
 * @param rows at most so many
 * @param bytes with the row that reaches so many
 */
public record BatchLimits(int rows, long bytes) implements Serializable {}
