package dev.caldera.memory;

import dev.caldera.graph.TensorData;
import dev.caldera.plan.WeightKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Weights that stay in a file and are resident through a mapping: for a host that reads them where
 * they lie, for example experts of which few are hot.
 *
 * <p>The file holds each record as kernels want it. Placing a record maps its range, loading
 * touches its pages, and freeing it drops the mapping: nobody can read it through the pool any
 * more, and the operating system has its pages back once the garbage collector has unmapped it. The
 * file may be larger than 2 GiB; a record may not.
 */
public final class MappedWeights implements WeightBacking {
  private final Path path;
  private final FileChannel file;
  private final long fileBytes;
  private final Map<WeightKey, FileRange> ranges;
  private final long budget;
  private long resident;

  /**
   * A record's place in the file.
   *
   * @param offset bytes from the file's start
   * @param bytes length
   */
  public record FileRange(long offset, long bytes) {}

  /**
   * Opens a file of weights.
   *
   * @param ranges each record's place
   * @param budgetBytes the most bytes that are resident at once
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if a range does not lie in the file or is over 2 GiB
   */
  public MappedWeights(Path path, Map<WeightKey, FileRange> ranges, long budgetBytes)
      throws IOException {
    this.path = path;
    this.ranges = Map.copyOf(ranges);
    this.budget = budgetBytes;
    this.file = FileChannel.open(path, StandardOpenOption.READ);
    this.fileBytes = file.size();
    for (Map.Entry<WeightKey, FileRange> entry : ranges.entrySet()) {
      FileRange range = entry.getValue();
      boolean inside = range.offset() >= 0 && range.offset() <= fileBytes - range.bytes();
      if (!inside || range.bytes() < 0 || range.bytes() > Integer.MAX_VALUE) {
        file.close();
        throw new IllegalArgumentException(
            String.format(
                "Cannot map weight %s of %s: bytes %d to %d must lie in the file's %d, at most 2 GiB",
                entry.getKey().tensor(),
                path,
                range.offset(),
                range.offset() + range.bytes(),
                fileBytes));
      }
    }
  }

  /** The record of a key, for {@link WeightPool#acquire}. */
  public WeightRecord record(WeightKey key) {
    FileRange range = ranges.get(key);
    if (range == null) {
      throw new IllegalArgumentException(
          "Cannot find weight " + key.tensor() + " in " + path + ": no range was given for it");
    }
    return new WeightRecord(key, new FileData(this, range));
  }

  @Override
  public Optional<List<BufferRange>> place(List<WeightRecord> records) {
    long total = records.stream().mapToLong(WeightRecord::bytes).sum();
    for (WeightRecord record : records) {
      if (!(record.data() instanceof FileData data) || data.owner() != this) {
        throw new IllegalArgumentException(
            "Cannot place weight " + record.key().tensor() + ": it is not a record of " + path);
      }
    }
    if (resident + total > budget) {
      return Optional.empty();
    }
    List<BufferRange> places = new ArrayList<>();
    for (WeightRecord record : records) {
      Mapping mapping = new Mapping(map(((FileData) record.data()).range()));
      places.add(new BufferRange(mapping, 0, mapping.bytes()));
    }
    resident += total;
    return Optional.of(places);
  }

  private MappedByteBuffer map(FileRange range) {
    try {
      return file.map(FileChannel.MapMode.READ_ONLY, range.offset(), range.bytes());
    } catch (IOException e) {
      throw new UncheckedIOException(
          String.format("Cannot map %d bytes at %d of %s", range.bytes(), range.offset(), path), e);
    }
  }

  @Override
  public void load(List<WeightRead> reads) throws InterruptedException {
    for (WeightRead read : reads) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      BufferRange target = read.target();
      ((Mapping) target.buffer()).touch(target.offset(), target.bytes());
    }
  }

  @Override
  public void free(BufferRange place) {
    resident -= place.bytes();
    place.buffer().close();
  }

  @Override
  public long placedBytes(long recordBytes) {
    return recordBytes;
  }

  @Override
  public long budgetBytes() {
    return budget;
  }

  @Override
  public long pieceBytes() {
    return 64 << 20;
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot close " + path, e);
    }
  }

  /** A range of the file, read without mapping it. */
  private record FileData(MappedWeights owner, FileRange range) implements TensorData {
    @Override
    public long byteSize() {
      return range.bytes();
    }

    @Override
    public void read(long offset, ByteBuffer target) {
      Objects.checkFromIndexSize(offset, target.remaining(), range.bytes());
      long place = range.offset() + offset;
      try {
        while (target.hasRemaining()) {
          int count = owner.file.read(target, place);
          if (count < 0) {
            throw new IOException("the file ends at byte " + place);
          }
          place += count;
        }
      } catch (IOException e) {
        throw new UncheckedIOException("Cannot read weights from " + owner.path, e);
      }
    }
  }

  /** A mapped record; host-visible and read-only. */
  private static final class Mapping implements DeviceBuffer {
    private final long bytes;
    private volatile @Nullable MappedByteBuffer mapped;

    Mapping(MappedByteBuffer mapped) {
      this.bytes = mapped.capacity();
      this.mapped = mapped;
    }

    @Override
    public long bytes() {
      return bytes;
    }

    @Override
    public BufferUse use() {
      return BufferUse.UPLOAD;
    }

    @Override
    public ByteBuffer mapped() {
      return open().duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    void touch(long offset, long length) {
      MappedByteBuffer part = open().slice(Math.toIntExact(offset), Math.toIntExact(length));
      part.load();
    }

    private MappedByteBuffer open() {
      MappedByteBuffer present = mapped;
      if (present == null) {
        throw new IllegalStateException("Cannot read a weight: its mapping was given back");
      }
      return present;
    }

    @Override
    public void close() {
      mapped = null;
    }
  }
}
