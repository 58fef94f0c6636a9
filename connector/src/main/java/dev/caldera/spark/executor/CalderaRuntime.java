package dev.caldera.spark.executor;

import dev.caldera.engine.Encoder;
import dev.caldera.engine.EncoderOptions;
import dev.caldera.spark.config.CalderaConf;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an executor keeps for all its tasks: the device, the engine on it, and copies of models.
 *
 * <p>Thread-safe. {@link ExecutorRuntime} holds the one of this process.
 */
public final class CalderaRuntime implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CalderaRuntime.class);

  private final EncoderSource encoders;
  private final ModelCache cache;
  private final LoadLedger ledger = new LoadLedger();

  CalderaRuntime(EncoderSource encoders, ModelCache cache) {
    this.encoders = encoders;
    this.cache = cache;
  }

  /**
   * Chooses and opens the device.
   *
   * @throws IllegalArgumentException if no device fits the settings; lists what there is
   */
  static CalderaRuntime open(CalderaConf conf, Configuration hadoop) {
    return new CalderaRuntime(
        EngineSource.open(conf), new ModelCache(conf.cacheDirectory().resolve("models"), hadoop));
  }

  /** Device, driver and why, one line. */
  public String description() {
    return encoders.description();
  }

  /**
   * An encoder for a task, the model copied and loaded unless it is already; the task closes it.
   *
   * @throws IOException if the model's files cannot be copied
   * @throws IllegalArgumentException if a file is not valid; names it
   */
  public TaskEncoder encoder(ModelReference model, EncoderOptions options)
      throws IOException, InterruptedException {
    Encoder encoder = encoders.open(cache.folder(model), options);
    LoadLedger.ModelLoads loads = ledger.take(encoder.facts());
    if (loads.loads() > 0) {
      LOG.info("Loaded model {} in {} ms: {}", model, loads.nanos() / 1_000_000, encoder.facts());
    }
    return new TaskEncoder(encoder, loads.loads(), loads.nanos());
  }

  /** Uploads of models to the device until now, as tasks saw them. */
  public long uploads() {
    return ledger.uploads();
  }

  @Override
  public void close() {
    encoders.close();
  }
}
