package dev.caldera.text;

import ai.djl.huggingface.tokenizers.jni.LibUtils;
import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Loads the tokenizer library that DJL carries in its jar, once a process.
 *
 * <p>DJL takes its settings from environment variables and system properties while it loads. Unless
 * the user has set them, they are set here for that moment: the CPU flavour from the jar (another
 * would be downloaded), offline, and a temporary cache folder, which is deleted once the library is
 * mapped.
 */
final class NativeTokenizers {
  private NativeTokenizers() {}

  /**
   * The library, loaded.
   *
   * @throws IllegalStateException if it cannot be loaded here; names the platform
   */
  static TokenizersLibrary library() {
    return Holder.LIBRARY;
  }

  /** Loads on first use; the class initialiser's lock makes it once. */
  private static final class Holder {
    static final TokenizersLibrary LIBRARY = load();
  }

  private static TokenizersLibrary load() {
    Path cache = temporaryFolder();
    List<String> set = new ArrayList<>();
    ClassLoader contextLoader = Thread.currentThread().getContextClassLoader();
    try {
      set("RUST_FLAVOR", "cpu", set);
      set("ai.djl.offline", "true", set);
      set("ENGINE_CACHE_DIR", cache.toString(), set);
      // DJL looks for its natives through the context class loader.
      Thread.currentThread().setContextClassLoader(NativeTokenizers.class.getClassLoader());
      LibUtils.checkStatus();
      return TokenizersLibrary.LIB;
    } catch (RuntimeException | LinkageError e) {
      throw new IllegalStateException(
          "Cannot load the tokenizer library for "
              + System.getProperty("os.name")
              + " "
              + System.getProperty("os.arch")
              + ": "
              + e.getMessage()
              + "; it is built for Linux with glibc (x86_64, aarch64), macOS (aarch64) and Windows"
              + " (x86_64)",
          e);
    } finally {
      Thread.currentThread().setContextClassLoader(contextLoader);
      set.forEach(System::clearProperty);
      delete(cache);
    }
  }

  /** Sets a property that neither the environment nor the user has set. */
  private static void set(String name, String value, List<String> set) {
    if (System.getenv(name) == null && System.getProperty(name) == null) {
      System.setProperty(name, value);
      set.add(name);
    }
  }

  private static Path temporaryFolder() {
    try {
      return Files.createTempDirectory("caldera-tokenizers");
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot make a temporary folder for the tokenizer library in "
              + System.getProperty("java.io.tmpdir"),
          e);
    }
  }

  /** Deletes what it can; a platform that locks mapped files keeps the library until it exits. */
  private static void delete(Path folder) {
    List<Path> paths;
    try (Stream<Path> found = Files.walk(folder)) {
      paths = found.sorted(Comparator.reverseOrder()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot list the temporary folder " + folder, e);
    }
    for (Path path : paths) {
      if (!path.toFile().delete()) {
        path.toFile().deleteOnExit();
      }
    }
  }
}
