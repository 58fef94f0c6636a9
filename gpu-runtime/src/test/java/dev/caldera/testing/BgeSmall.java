package dev.caldera.testing;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The two ONNX exports of bge-small-en-v1.5, from test dependencies: 12 layers, 384 columns, 12
 * heads, 30,522 words, 512 positions; the first token's vector, then L2.
 */
public final class BgeSmall {

  private static final Path FOLDER = Path.of("target", "models", "bge-small-en-v1.5");

  private BgeSmall() {}

  /** The export in F32. */
  public static Path onnx() {
    return resource("bge-small-en-v1.5.onnx");
  }

  /** The export with weights in 8 bits and activations quantized as it runs. */
  public static Path quantizedOnnx() {
    return resource("bge-small-en-v1.5-q.onnx");
  }

  private static synchronized Path resource(String name) {
    Path target = FOLDER.resolve(name);
    try (InputStream in = BgeSmall.class.getClassLoader().getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException(name + " is not on the class path");
      }
      if (!Files.exists(target)) {
        Files.createDirectories(FOLDER);
        Path partial = Files.createTempFile(FOLDER, name, ".partial");
        Files.copy(in, partial, StandardCopyOption.REPLACE_EXISTING);
        Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
      }
      return target.toAbsolutePath();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + target, e);
    }
  }
}
