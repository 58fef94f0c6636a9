package dev.caldera.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceOptions;
import dev.caldera.backend.Devices;
import dev.caldera.model.ModelFolder;
import dev.caldera.testing.MiniLm;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Model folders that cannot be loaded: each names what is wrong, and leaves nothing behind. */
class BadModelTest {
  @TempDir Path folder;

  private Device device;
  private Engine engine;

  @BeforeEach
  void open() throws IOException {
    device = Devices.discover().select("cpu").open(DeviceOptions.defaults());
    engine = Engine.open(device, EngineOptions.defaults());
    for (String file : List.of("tokenizer.json", "modules.json", "sentence_bert_config.json")) {
      Files.copy(MiniLm.folder().resolve(file), folder.resolve(file));
    }
    Files.createDirectory(folder.resolve("1_Pooling"));
    Files.copy(
        MiniLm.folder().resolve("1_Pooling/config.json"), folder.resolve("1_Pooling/config.json"));
  }

  @AfterEach
  void close() {
    engine.close();
    assertThat(device.counters().liveBuffers()).isZero();
    device.close();
  }

  @Test
  void truncatedOnnx() throws IOException {
    Files.copy(MiniLm.onnx(), folder.resolve("model.onnx"));
    try (FileChannel file =
        FileChannel.open(folder.resolve("model.onnx"), StandardOpenOption.WRITE)) {
      file.truncate(1_000_000);
    }
    failsWith("Cannot ", folder.resolve("model.onnx").toString());
  }

  @Test
  void emptyOnnx() throws IOException {
    Files.createFile(folder.resolve("model.onnx"));
    failsWith("Cannot ", folder.resolve("model.onnx").toString());
  }

  @Test
  void somethingElseThanOnnx() throws IOException {
    Files.writeString(folder.resolve("model.onnx"), "<html>not found</html>");
    failsWith("Cannot ", folder.resolve("model.onnx").toString());
  }

  @Test
  void unsupportedOp() throws IOException {
    byte[] onnx = Files.readAllBytes(MiniLm.onnx());
    Files.write(folder.resolve("model.onnx"), replaceFirst(onnx, "Softmax", "Hardmax"));
    failsWith("Hardmax", "/encoder/layer.0/attention/self/Softmax");
  }

  @Test
  void damagedTokenizer() throws IOException {
    Files.copy(MiniLm.onnx(), folder.resolve("model.onnx"));
    Files.writeString(folder.resolve("tokenizer.json"), "{}");
    failsWith("Cannot read tokenizer " + folder.resolve("tokenizer.json") + ": ");
  }

  @Test
  void moreTokensThanPositions() throws IOException {
    Files.copy(MiniLm.onnx(), folder.resolve("model.onnx"));
    Files.writeString(folder.resolve("sentence_bert_config.json"), "{\"max_seq_length\": 513}");
    failsWith(
        "Cannot use model " + folder + " with maxTokens 513: it has positions for 512 tokens");
  }

  private void failsWith(String... parts) {
    assertThatThrownBy(() -> engine.encoder(ModelFolder.open(folder), EncoderOptions.defaults()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(parts);
    assertThat(engine.metrics().modelLoads()).isZero();
  }

  /** The op type of the first node that has it; a name that merely ends so stays. */
  private static byte[] replaceFirst(byte[] bytes, String word, String other) {
    String field = "\"" + (char) word.length();
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int at = text.indexOf(field + word);
    assertThat(at).isPositive();
    byte[] replaced = bytes.clone();
    byte[] with = other.getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(with, 0, replaced, at + field.length(), with.length);
    return replaced;
  }
}
