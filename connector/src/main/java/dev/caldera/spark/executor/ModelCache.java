package dev.caldera.spark.executor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of models on this machine's disk, one folder a revision.
 *
 * <p>A copy is made in a folder of its own beside the target and renamed when every file has its
 * full size, so a folder that has a revision's name is whole. Threads of this process that want the
 * same revision wait for one of them; among processes the first rename wins and the others take its
 * folder.
 */
public final class ModelCache {
  private static final Logger LOG = LoggerFactory.getLogger(ModelCache.class);

  private final Path directory;
  private final Configuration hadoop;
  private final ConcurrentHashMap<String, Object> locks = new ConcurrentHashMap<>();

  /**
   * A cache.
   *
   * @param directory folder of this user's own; made when first needed
   * @param hadoop how to reach file systems
   */
  public ModelCache(Path directory, Configuration hadoop) {
    this.directory = directory;
    this.hadoop = hadoop;
  }

  /**
   * The local folder of a model, copied unless it is there.
   *
   * @throws IOException if it cannot be read or written, or a file no longer has the size that it
   *     had when the query was analysed; names the file
   */
  public Path folder(ModelReference model) throws IOException {
    String revision = model.revision();
    Path target = directory.resolve(revision);
    synchronized (locks.computeIfAbsent(revision, key -> new Object())) {
      if (isWhole(target, model)) {
        return target;
      }
      copy(model, target);
      return target;
    }
  }

  private static boolean isWhole(Path folder, ModelReference model) throws IOException {
    for (ModelFile file : model.files()) {
      Path local = folder.resolve(file.path());
      if (!Files.isRegularFile(local) || Files.size(local) != file.bytes()) {
        return false;
      }
    }
    return true;
  }

  private void copy(ModelReference model, Path target) throws IOException {
    long start = System.nanoTime();
    makePrivate(directory);
    Path partial = directory.resolve(target.getFileName() + "." + UUID.randomUUID() + ".partial");
    try {
      for (ModelFile file : model.files()) {
        copyFile(model, file, partial);
      }
      publish(partial, target, model);
    } finally {
      delete(partial);
    }
    LOG.info(
        "Copied model {} from {} to {}: {} bytes in {} ms",
        model,
        model.uri(),
        target,
        model.bytes(),
        (System.nanoTime() - start) / 1_000_000);
  }

  private static void makePrivate(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    boolean posix = directory.getFileSystem().supportedFileAttributeViews().contains("posix");
    if (posix) {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } else {
      Files.createDirectories(directory);
    }
  }

  private void copyFile(ModelReference model, ModelFile file, Path partial) throws IOException {
    org.apache.hadoop.fs.Path source =
        new org.apache.hadoop.fs.Path(model.uri() + "/" + file.path());
    Path local = partial.resolve(file.path());
    Files.createDirectories(local.getParent());
    FileSystem files = source.getFileSystem(hadoop);
    try (InputStream in = files.open(source)) {
      Files.copy(in, local);
    } catch (IOException e) {
      throw new IOException(
          "Cannot copy " + source + " of model " + model.name() + " to " + local + ": " + e, e);
    }
    long copied = Files.size(local);
    if (copied != file.bytes()) {
      throw new IOException(
          "Cannot copy "
              + source
              + " of model "
              + model.name()
              + ": it had "
              + file.bytes()
              + " bytes when the query was analysed and has "
              + copied
              + " now; run the query again once the file is complete");
    }
  }

  private static void publish(Path partial, Path target, ModelReference model) throws IOException {
    try {
      Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileAlreadyExistsException | DirectoryNotEmptyException e) {
      replaceBroken(partial, target, model);
    } catch (AtomicMoveNotSupportedException e) {
      throw new IOException(
          "Cannot keep model " + model + " in " + target + ": the folder cannot rename", e);
    } catch (IOException e) {
      // Some file systems report a folder in the way only so.
      if (!Files.isDirectory(target)) {
        throw e;
      }
      replaceBroken(partial, target, model);
    }
  }

  private static void replaceBroken(Path partial, Path target, ModelReference model)
      throws IOException {
    if (isWhole(target, model)) {
      return;
    }
    LOG.warn("Replacing {}: files are missing or have another size than model {}", target, model);
    delete(target);
    Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
