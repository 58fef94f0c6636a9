package dev.caldera.spark.executor;

import java.io.Serializable;

/**
 * A file of a model where the model is kept.
 *
 * @param path relative to the model's folder, with '/'
 * @param bytes its size
 * @param modifiedMillis when it was last changed, milliseconds since 1970
 */
public record ModelFile(String path, long bytes, long modifiedMillis) implements Serializable {}
