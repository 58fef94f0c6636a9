package dev.caldera.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Weights copied into device memory through a {@link StagingPool}.
 *
 * <p>Records placed together get one allocation where the device's limit and the budget allow, so
 * that a model's weights stand in one buffer; otherwise the room that evicted records left is
 * filled first. An allocation is given back when the last record in it is freed.
 */
public final class CopiedWeights implements WeightBacking {
  /** Bytes of a submission, if the staging pool can lend as many. */
  private static final long SUBMISSION_BYTES = 8 << 20;

  private final MemoryDevice device;
  private final StagingPool staging;
  private final long budget;
  private final List<WeightSlab> slabs = new ArrayList<>();

  /**
   * An empty backing.
   *
   * @param staging what copies go through
   * @param budgetBytes the most bytes of device memory it takes
   */
  public CopiedWeights(MemoryDevice device, StagingPool staging, long budgetBytes) {
    if (budgetBytes < 1) {
      throw new IllegalArgumentException(
          "Cannot hold weights in " + budgetBytes + " bytes: the budget must be positive");
    }
    this.device = device;
    this.staging = staging;
    this.budget = budgetBytes;
  }

  @Override
  public Optional<List<BufferRange>> place(List<WeightRecord> records) {
    long total = 0;
    for (WeightRecord record : records) {
      long extent = WeightSlab.extent(record.bytes());
      long largest = Math.min(device.allocationLimit(), budget);
      if (extent > largest) {
        throw new IllegalArgumentException(
            String.format(
                "Cannot place weight %s: its %d bytes (%d with slack) are over the %d bytes that an"
                    + " allocation and the budget allow",
                record.key().tensor(), record.bytes(), extent, largest));
      }
      total = Math.addExact(total, extent);
    }
    if (total <= device.allocationLimit() && taken() + total <= budget) {
      WeightSlab slab = allocate(total);
      return Optional.of(
          records.stream().map(record -> slab.take(record.bytes()).orElseThrow()).toList());
    }
    return placeInGaps(records);
  }

  private Optional<List<BufferRange>> placeInGaps(List<WeightRecord> records) {
    List<BufferRange> places = new ArrayList<>();
    try {
      for (int i = 0; i < records.size(); i++) {
        Optional<BufferRange> place = placeInGap(records.get(i).bytes());
        if (place.isEmpty()) {
          long room = roomFor(records.subList(i, records.size()));
          if (taken() + room > budget) {
            places.forEach(this::free);
            return Optional.empty();
          }
          place = allocate(room).take(records.get(i).bytes());
        }
        places.add(place.orElseThrow());
      }
    } catch (OutOfDeviceMemoryException full) {
      places.forEach(this::free);
      throw full;
    }
    return Optional.of(places);
  }

  private Optional<BufferRange> placeInGap(long bytes) {
    for (WeightSlab slab : slabs) {
      Optional<BufferRange> place = slab.take(bytes);
      if (place.isPresent()) {
        return place;
      }
    }
    return Optional.empty();
  }

  /** The size of an allocation for as many of the records as it may hold, at least the first. */
  private long roomFor(List<WeightRecord> records) {
    long room = WeightSlab.extent(records.get(0).bytes());
    long largest = Math.min(device.allocationLimit(), budget - taken());
    for (WeightRecord record : records.subList(1, records.size())) {
      long extent = WeightSlab.extent(record.bytes());
      if (room + extent > largest) {
        return room;
      }
      room += extent;
    }
    return room;
  }

  private WeightSlab allocate(long bytes) {
    WeightSlab slab = new WeightSlab(device.allocate(bytes, BufferUse.DEVICE));
    slabs.add(slab);
    return slab;
  }

  private long taken() {
    return slabs.stream().mapToLong(WeightSlab::bytes).sum();
  }

  @Override
  public void load(List<WeightRead> reads) throws InterruptedException {
    Deque<Completion> running = new ArrayDeque<>();
    try {
      int next = 0;
      while (next < reads.size()) {
        int end = next + 1;
        long bytes = stagedBytes(reads.get(next));
        while (end < reads.size() && bytes + stagedBytes(reads.get(end)) <= pieceBytes()) {
          bytes += stagedBytes(reads.get(end++));
        }
        if (running.size() == 2) {
          running.getFirst().await();
          running.removeFirst();
        }
        running.addLast(submit(reads.subList(next, end), bytes));
        next = end;
      }
    } finally {
      running.forEach(Waits::uninterruptibly);
    }
  }

  /**
   * Copies some reads through one staging buffer. A load never waits for a second buffer while it
   * holds one that no submission frees, so that many loads at once cannot stop each other.
   */
  private Completion submit(List<WeightRead> reads, long bytes) throws InterruptedException {
    try (Commands commands = device.begin();
        Transfer transfer = staging.transfer(commands)) {
      transfer.reserveUploads(bytes);
      for (WeightRead read : reads) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        transfer.upload(read.target(), read::read);
      }
      return transfer.submit();
    }
  }

  private static long stagedBytes(WeightRead read) {
    return Transfer.stagedBytes(read.target().bytes());
  }

  @Override
  public void free(BufferRange place) {
    for (WeightSlab slab : slabs) {
      if (slab.holds(place)) {
        slab.free(place);
        if (slab.isEmpty()) {
          slab.close();
          slabs.remove(slab);
        }
        return;
      }
    }
    throw new IllegalArgumentException("Cannot free " + place + ": it is not placed here");
  }

  @Override
  public long placedBytes(long recordBytes) {
    return WeightSlab.extent(recordBytes);
  }

  @Override
  public long budgetBytes() {
    return budget;
  }

  @Override
  public long pieceBytes() {
    return Math.min(SUBMISSION_BYTES, staging.largest());
  }

  @Override
  public void close() {
    slabs.forEach(WeightSlab::close);
    slabs.clear();
  }
}
