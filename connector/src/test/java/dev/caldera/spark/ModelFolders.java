package dev.caldera.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

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
