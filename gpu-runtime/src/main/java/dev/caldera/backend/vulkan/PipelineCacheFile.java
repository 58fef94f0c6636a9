package dev.caldera.backend.vulkan;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that keeps a driver's compiled pipelines between runs, one a driver build and device.
 *
 * <p>Format, little-endian: magic "CPC1", CRC-32C of the payload, the payload as the driver gave
 * it. The checksum stands in front because drivers trust what they read. A file that is damaged or
 * from elsewhere is ignored, with a word in the log; writing is atomic, so that processes that
 * share the folder read either the old or the new file.
 */
final class PipelineCacheFile {
  private static final Logger LOG = LoggerFactory.getLogger(PipelineCacheFile.class);
  private static final int MAGIC = 'C' | 'P' << 8 | 'C' << 16 | '1' << 24;
  private static final int HEADER_BYTES = 8;

  private final Path path;

  private PipelineCacheFile(Path path) {
    this.path = path;
  }

  /**
   * The file in {@code folder}.
   *
   * @param driver identity of the driver's build
   * @param device identity of the device
   */
  static PipelineCacheFile in(Path folder, String driver, String device) {
    return new PipelineCacheFile(
        folder.resolve("vulkan-pipelines-" + driver + "-" + device + ".bin"));
  }

  Path path() {
    return path;
  }

  /** What was kept, if it is intact. */
  Optional<byte[]> read() {
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    try {
      byte[] file = Files.readAllBytes(path);
      if (file.length < HEADER_BYTES) {
        return ignore("it has only " + file.length + " bytes");
      }
      ByteBuffer header = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
      if (header.getInt(0) != MAGIC) {
        return ignore("it is not a pipeline cache");
      }
      if (header.getInt(4) != checksum(file, HEADER_BYTES)) {
        return ignore("its checksum is wrong");
      }
      return Optional.of(java.util.Arrays.copyOfRange(file, HEADER_BYTES, file.length));
    } catch (IOException e) {
      return ignore("it cannot be read: " + e);
    }
  }

  /** Replaces the file; a failure is logged, since pipelines can be made again. */
  void write(byte[] payload) {
    ByteBuffer file = ByteBuffer.allocate(HEADER_BYTES + payload.length);
    file.order(ByteOrder.LITTLE_ENDIAN).putInt(MAGIC).putInt(checksum(payload, 0)).put(payload);
    try {
      Path folder = path.toAbsolutePath().getParent();
      Files.createDirectories(folder);
      Path temporary = Files.createTempFile(folder, "vulkan-pipelines", ".tmp");
      try {
        Files.write(temporary, file.array());
        Files.move(
            temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(temporary);
      }
    } catch (IOException e) {
      LOG.warn("Cannot keep compiled pipelines in {}: {}", path, e.toString());
    }
  }

  private Optional<byte[]> ignore(String why) {
    LOG.warn("Ignoring the pipeline cache {}: {}; pipelines are compiled anew", path, why);
    return Optional.empty();
  }

  private static int checksum(byte[] bytes, int from) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, bytes.length - from);
    return (int) crc.getValue();
  }
}
