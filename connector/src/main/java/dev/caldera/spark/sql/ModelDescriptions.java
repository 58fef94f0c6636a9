package dev.caldera.spark.sql;

import dev.caldera.model.EncoderDescription;
import dev.caldera.model.ModelFolder;
import dev.caldera.spark.executor.ModelFile;
import dev.caldera.spark.executor.ModelReference;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** What the small files of models say, read once a revision on the driver. */
final class ModelDescriptions {
  private static final int KEPT = 64;
  private static final Map<String, EncoderDescription> BY_REVISION =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, EncoderDescription> eldest) {
          return size() > KEPT;
        }
      };

  private ModelDescriptions() {}

  /**
   * The description of a model.
   *
   * @throws IllegalArgumentException if a small file cannot be read or is not valid; names it
   */
  static EncoderDescription of(ModelReference model, Configuration hadoop) {
    synchronized (BY_REVISION) {
      return BY_REVISION.computeIfAbsent(model.revision(), key -> read(model, hadoop));
    }
  }

  private static EncoderDescription read(ModelReference model, Configuration hadoop) {
    try {
      Path folder = Files.createTempDirectory("caldera-description-");
      try {
        return read(model, hadoop, folder);
      } catch (IllegalArgumentException e) {
        String message = String.valueOf(e.getMessage());
        throw new IllegalArgumentException(message.replace(folder.toString(), model.uri()), e);
      } finally {
        delete(folder);
      }
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "Cannot read the description of model " + model.name() + " at " + model.uri() + ": " + e,
          e);
    }
  }

  private static EncoderDescription read(ModelReference model, Configuration hadoop, Path folder)
      throws IOException {
    for (ModelFile file : model.files()) {
      if (file.path().endsWith(".json") && !file.path().equals(ModelFolder.TOKENIZER_FILE)) {
        var source = new org.apache.hadoop.fs.Path(model.uri() + "/" + file.path());
        Path local = folder.resolve(file.path());
        Files.createDirectories(local.getParent());
        try (InputStream in = source.getFileSystem(hadoop).open(source)) {
          Files.copy(in, local);
        }
      }
    }
    EncoderDescription found = EncoderDescription.read(folder);
    return new EncoderDescription(
        "'" + model.name() + "' at " + model.uri(),
        found.pooling(),
        found.normalize(),
        found.maxTokens(),
        found.width());
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
