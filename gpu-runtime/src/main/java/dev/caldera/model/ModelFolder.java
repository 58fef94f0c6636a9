package dev.caldera.model;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An encoder in a local folder, in the files that Hugging Face gives it: {@code model.onnx} or
 * {@code onnx/model.onnx}, {@code tokenizer.json}, and what {@link EncoderDescription} reads.
 * Opening reads the small files only.
 */
public final class ModelFolder {
  /** Where the graph and weights may be, relative to the folder, the first that exists. */
  public static final List<String> GRAPH_FILES = List.of("model.onnx", "onnx/model.onnx");

  /** Where the tokenizer must be, relative to the folder. */
  public static final String TOKENIZER_FILE = "tokenizer.json";

  private static final int DEPTH = 3;

  private final Path path;
  private final Path graph;
  private final EncoderDescription description;
  private final String revision;

  private ModelFolder(Path path, Path graph, EncoderDescription description, String revision) {
    this.path = path;
    this.graph = graph;
    this.description = description;
    this.revision = revision;
  }

  /**
   * Opens a folder.
   *
   * @throws IllegalArgumentException if the folder or a file that it must have is missing, or a
   *     small file is not valid; names it
   */
  public static ModelFolder open(Path path) {
    EncoderDescription description = EncoderDescription.read(path);
    Path graph =
        GRAPH_FILES.stream()
            .map(path::resolve)
            .filter(Files::isRegularFile)
            .findFirst()
            .orElseThrow(
                () -> missing(path, "neither " + String.join(" nor ", GRAPH_FILES) + " is there"));
    if (!Files.isRegularFile(path.resolve(TOKENIZER_FILE))) {
      throw missing(path, TOKENIZER_FILE + " is not there");
    }
    return new ModelFolder(path, graph, description, revision(path));
  }

  private static IllegalArgumentException missing(Path path, String what) {
    return new IllegalArgumentException("Cannot open model " + path + ": " + what);
  }

  /** The folder. */
  public Path path() {
    return path;
  }

  /** The file with graph and weights. */
  public Path graph() {
    return graph;
  }

  /** The tokenizer's file. */
  public Path tokenizer() {
    return path.resolve(TOKENIZER_FILE);
  }

  /** What the small files say. */
  public EncoderDescription description() {
    return description;
  }

  /**
   * Identity of the folder's content as it was when opened: the SHA-256, in hex, of each file's
   * name, size, time of change and identity on its file system. Weights are not read for it; a file
   * that is changed or replaced makes another revision.
   */
  public String revision() {
    return revision;
  }

  private static String revision(Path folder) {
    try (Stream<Path> found = Files.walk(folder, DEPTH)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Path file : found.filter(Files::isRegularFile).sorted().toList()) {
        BasicFileAttributes facts = Files.readAttributes(file, BasicFileAttributes.class);
        String line =
            folder.relativize(file)
                + "\t"
                + facts.size()
                + "\t"
                + facts.lastModifiedTime().to(TimeUnit.NANOSECONDS)
                + "\t"
                + facts.fileKey()
                + "\n";
        digest.update(line.getBytes(StandardCharsets.UTF_8));
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (IOException e) {
      throw new IllegalArgumentException("Cannot list model folder " + folder + ": " + e, e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Cannot make a revision: this Java has no SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return path + "@" + revision.substring(0, 12);
  }
}
