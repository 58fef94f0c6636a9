package dev.caldera.engine;

import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceOptions;
import dev.caldera.backend.Devices;
import dev.caldera.testing.Reviews;
import java.util.List;

/** Embeddings on all cores: every review. */
class CpuEmbeddingTest extends EmbeddingContract {
  @Override
  Device openDevice() {
    return Devices.discover().select("cpu").open(DeviceOptions.defaults());
  }

  @Override
  List<String> compared() {
    return Reviews.texts();
  }

  @Override
  List<String> repeated() {
    return Reviews.texts();
  }
}
