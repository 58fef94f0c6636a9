package dev.caldera.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

class MiniLmTest {

  @Test
  void folderHoldsTheModelAndItsPoolingFiles() throws IOException {
    assertThat(MiniLm.folder()).isAbsolute().isDirectory();
    assertThat(Files.size(MiniLm.onnx())).isGreaterThan(80_000_000);
    assertThat(MiniLm.tokenizer()).isNotEmptyFile();
    assertThat(MiniLm.folder().resolve("1_Pooling/config.json")).content().contains("mean_tokens");
  }
}
