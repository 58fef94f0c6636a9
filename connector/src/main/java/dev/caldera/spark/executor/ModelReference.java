package dev.caldera.spark.executor;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A model as the driver found it when a query was analysed; executors copy exactly this.
 *
 * @param name as the query calls it
 * @param uri its folder, with scheme
 * @param files the files that are needed
 */
public record ModelReference(String name, String uri, List<ModelFile> files)
    implements Serializable {
  private static final int REVISION_LETTERS = 16;

  /** Copies the list. */
  public ModelReference {
    files = List.copyOf(files);
  }

  /**
   * Identity of place and content: a digest of the URI and of each file's path, size and time of
   * change. A changed file makes another revision.
   */
  public String revision() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update((uri + "\n").getBytes(StandardCharsets.UTF_8));
      for (ModelFile file : files) {
        String line = file.path() + "\t" + file.bytes() + "\t" + file.modifiedMillis() + "\n";
        digest.update(line.getBytes(StandardCharsets.UTF_8));
      }
      return HexFormat.of().formatHex(digest.digest()).substring(0, REVISION_LETTERS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Cannot make a revision: this Java has no SHA-256", e);
    }
  }

  /** Bytes of all files. */
  public long bytes() {
    return files.stream().mapToLong(ModelFile::bytes).sum();
  }

  @Override
  public String toString() {
    return name + "@" + revision();
  }
}
