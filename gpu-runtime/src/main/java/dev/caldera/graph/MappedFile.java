package dev.caldera.graph;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A file mapped read-only in windows of 1 GiB, so that a file over 2 GiB is one range of bytes.
 *
 * <p>The file is closed as soon as it is mapped. The mapping ends when the last {@code MappedFile}
 * or slice of it is garbage, which is the only way the JDK offers. The file must not be shortened
 * while it is mapped.
 */
public final class MappedFile implements TensorData {

  private static final int DEFAULT_WINDOW_BITS = 30;

  private final Path path;
  private final List<MappedByteBuffer> windows;
  private final int windowBits;
  private final long start;
  private final long size;

  private MappedFile(
      Path path, List<MappedByteBuffer> windows, int windowBits, long start, long size) {
    this.path = path;
    this.windows = windows;
    this.windowBits = windowBits;
    this.start = start;
    this.size = size;
  }

  /**
   * Maps all of a file.
   *
   * @throws IOException if it cannot be opened or mapped
   */
  public static MappedFile open(Path path) throws IOException {
    return open(path, DEFAULT_WINDOW_BITS);
  }

  static MappedFile open(Path path, int windowBits) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long size = channel.size();
      List<MappedByteBuffer> windows = new ArrayList<>();
      for (long offset = 0; offset < size; offset += 1L << windowBits) {
        long length = Math.min(1L << windowBits, size - offset);
        windows.add(channel.map(FileChannel.MapMode.READ_ONLY, offset, length));
      }
      return new MappedFile(path, List.copyOf(windows), windowBits, 0, size);
    }
  }

  /** The file. */
  public Path path() {
    return path;
  }

  @Override
  public long byteSize() {
    return size;
  }

  /**
   * Bytes {@code [offset, offset + length)} of this range, sharing the mapping.
   *
   * @throws IndexOutOfBoundsException if they do not lie within this range
   */
  public MappedFile slice(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, size);
    return new MappedFile(path, windows, windowBits, start + offset, length);
  }

  /**
   * Byte {@code offset}.
   *
   * @throws IndexOutOfBoundsException if it does not lie within this range
   */
  public byte get(long offset) {
    long at = start + Objects.checkIndex(offset, size);
    return windows.get((int) (at >>> windowBits)).get((int) (at & mask()));
  }

  @Override
  public void read(long offset, ByteBuffer target) {
    Objects.checkFromIndexSize(offset, target.remaining(), size);
    long at = start + offset;
    while (target.hasRemaining()) {
      ByteBuffer window = windows.get((int) (at >>> windowBits)).duplicate();
      window.position((int) (at & mask()));
      int count = Math.min(window.remaining(), target.remaining());
      target.put(window.limit(window.position() + count));
      at += count;
    }
  }

  private long mask() {
    return (1L << windowBits) - 1;
  }
}
