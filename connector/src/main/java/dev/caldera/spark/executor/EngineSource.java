package dev.caldera.spark.executor;

import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceOptions;
import dev.caldera.backend.Devices;
import dev.caldera.engine.Encoder;
import dev.caldera.engine.EncoderOptions;
import dev.caldera.engine.Engine;
import dev.caldera.engine.EngineOptions;
import dev.caldera.model.ModelFolder;
import dev.caldera.spark.config.CalderaConf;
import dev.caldera.spark.config.ConfigEntries;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Encoders of the one engine of an executor, on the device that the settings choose. */
final class EngineSource implements EncoderSource {
  private static final Logger LOG = LoggerFactory.getLogger(EngineSource.class);

  private final Devices.Selection selection;
  private final Device device;
  private final Engine engine;

  private EngineSource(Devices.Selection selection, Device device, Engine engine) {
    this.selection = selection;
    this.device = device;
    this.engine = engine;
  }

  /**
   * Chooses and opens the device.
   *
   * @throws IllegalArgumentException if no device fits; lists what there is
   */
  static EngineSource open(CalderaConf conf) {
    Devices.Selection selection = Devices.discover().select(conf.value(ConfigEntries.DEVICE));
    if (selection.severity() == Devices.Severity.WARNING) {
      LOG.warn("Caldera computes on {}", selection);
    } else {
      LOG.info("Caldera computes on {}", selection);
    }
    DeviceOptions options =
        new DeviceOptions(
            conf.value(ConfigEntries.THREADS),
            Optional.of(conf.cacheDirectory().resolve("pipelines")),
            false);
    Device device = selection.open(options);
    Engine engine =
        Engine.open(
            device,
            new EngineOptions(
                conf.value(ConfigEntries.BATCH_TOKENS), 0, conf.value(ConfigEntries.WEIGHT_BYTES)));
    return new EngineSource(selection, device, engine);
  }

  @Override
  public String description() {
    return selection.toString();
  }

  @Override
  public Encoder open(Path folder, EncoderOptions options) throws InterruptedException {
    return engine.encoder(ModelFolder.open(folder), options);
  }

  @Override
  public void close() {
    try {
      engine.close();
    } finally {
      device.close();
    }
  }
}
