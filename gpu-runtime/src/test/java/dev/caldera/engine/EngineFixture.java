package dev.caldera.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.backend.Device;
import dev.caldera.model.ModelFolder;
import dev.caldera.testing.MiniLm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An engine around a tiny encoder, for the contracts that every device is held to. */
@Timeout(60)
abstract class EngineFixture {
  static final int BATCH_TOKENS = 64;

  @TempDir Path temporary;

  final TinyEncoder graphs = new TinyEncoder();
  final ModelFolder folder = ModelFolder.open(MiniLm.folder());
  final EncoderSettings settings =
      EncoderSettings.resolve(folder.description(), EncoderOptions.defaults());
  WatchedDevice device;
  Engine engine;

  /** Opens the device. */
  abstract Device openDevice();

  @BeforeEach
  void open() {
    device = new WatchedDevice(openDevice(), BATCH_TOKENS);
    engine = Engine.open(device, EngineOptions.defaults(), graphs);
  }

  @AfterEach
  void closeAndCountWhatIsLeft() {
    if (engine == null) {
      return;
    }
    device.letGo();
    graphs.gate.countDown();
    engine.close();
    engine.close();
    assertThat(device.openPrograms).hasValue(0);
    assertThat(device.counters().liveBuffers()).isZero();
    assertThat(device.counters().liveBytes()).isZero();
    device.close();
  }

  Encoder encoder() throws InterruptedException {
    return engine.encoder(folder, EncoderOptions.defaults());
  }

  static float[] row(float[] values, int row) {
    return Arrays.copyOfRange(values, row * TinyEncoder.WIDTH, (row + 1) * TinyEncoder.WIDTH);
  }

  static List<String> texts(int count) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(("review " + i + " of a good book ").repeat(1 + i % 3));
    }
    return texts;
  }
}
