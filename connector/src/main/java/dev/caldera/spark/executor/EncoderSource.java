package dev.caldera.spark.executor;

import dev.caldera.engine.Encoder;
import dev.caldera.engine.EncoderOptions;
import java.nio.file.Path;

/** Where an executor's encoders come from. Thread-safe. */
interface EncoderSource extends AutoCloseable {

  /** Device, driver and why, one line. */
  String description();

  /**
   * An encoder of a model, shared with all callers of the same; the caller closes it.
   *
   * @param folder the model's files on this machine
   * @throws IllegalArgumentException if a file is not valid; names it
   */
  Encoder open(Path folder, EncoderOptions options) throws InterruptedException;

  /** Frees the device. */
  @Override
  void close();
}
