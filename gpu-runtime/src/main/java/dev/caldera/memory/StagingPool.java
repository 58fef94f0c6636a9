package dev.caldera.memory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Host-visible buffers, through which all data reaches and leaves a device; lent, given back, and
 * lent again. Sizes are powers of two, so that few sizes serve all. Thread-safe.
 *
 * <p>The pool grows up to its budget and keeps what it has. {@link #acquire} lends the smallest
 * free buffer that is large enough, else a new one. When the budget is used up, it frees free
 * buffers that are too small, else waits for one to be given back: at most as long as its patience,
 * and interruptibly.
 */
public final class StagingPool implements AutoCloseable {
  /** The smallest buffer, in bytes: small copies share one. */
  public static final long SMALLEST = 1 << 16;

  private static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(60);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final MemoryDevice device;
  private final long budget;
  private final Duration patience;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<DeviceBuffer> free = new ArrayList<>();
  private final List<Retired> retired = new ArrayList<>();
  private long bytes;
  private int lent;
  private long allocations;
  private boolean closed;

  /** An empty pool that waits up to a minute for a buffer. */
  public StagingPool(MemoryDevice device, long budgetBytes) {
    this(device, budgetBytes, DEFAULT_PATIENCE);
  }

  /**
   * An empty pool.
   *
   * @param budgetBytes the most bytes it ever holds
   * @param patience how long {@link #acquire} waits at most
   */
  public StagingPool(MemoryDevice device, long budgetBytes, Duration patience) {
    if (budgetBytes < SMALLEST) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot make a staging pool of %d bytes: at least %d are needed",
              budgetBytes, SMALLEST));
    }
    this.device = device;
    this.budget = budgetBytes;
    this.patience = patience;
  }

  /**
   * Lends a buffer of at least {@code size} bytes.
   *
   * @param use {@link BufferUse#UPLOAD} or {@link BufferUse#READBACK}
   * @throws IllegalArgumentException if it can never be lent
   * @throws IllegalStateException if none was given back in time, or the pool is closed
   * @throws InterruptedException if interrupted while waiting
   */
  public StagingBuffer acquire(long size, BufferUse use) throws InterruptedException {
    long wanted = checkedSize(size, use);
    lock.lockInterruptibly();
    try {
      long deadline = System.nanoTime() + patience.toNanos();
      while (true) {
        if (closed) {
          throw new IllegalStateException("Cannot acquire a staging buffer: the pool is closed");
        }
        reap();
        DeviceBuffer buffer = find(wanted, use);
        if (buffer != null) {
          lent++;
          return new StagingBuffer(this, buffer);
        }
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          throw new IllegalStateException(
              String.format(
                  "Cannot acquire a staging buffer of %d bytes within %s: %d of %d bytes are held,"
                      + " %d buffers lent",
                  wanted, patience, bytes, budget, lent));
        }
        long wait = retired.isEmpty() ? left : Math.min(left, POLL_NANOS);
        changed.await(wait, TimeUnit.NANOSECONDS);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Bytes of the largest buffer that can be lent. */
  public long largest() {
    return Long.highestOneBit(Math.min(budget, device.allocationLimit()));
  }

  /** Begins the host's part in a submission that is being recorded. */
  public Transfer transfer(Commands commands) {
    return new Transfer(this, commands);
  }

  /** Buffers allocated since the pool was made; stands still in a steady state. */
  public long allocations() {
    return locked(() -> allocations);
  }

  /** Bytes held, lent or free. */
  public long bytes() {
    return locked(() -> bytes);
  }

  /** Buffers that have not come back yet. */
  public int lent() {
    return locked(
        () -> {
          reap();
          return lent;
        });
  }

  /**
   * Frees all buffers: those that are lent when they come back, those of a running submission after
   * waiting for it. Who waits for a buffer gets an {@link IllegalStateException}. A second call
   * does nothing.
   */
  @Override
  public void close() {
    List<Retired> running;
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      running = List.copyOf(retired);
      retired.clear();
      free.forEach(this::discard);
      free.clear();
    } finally {
      lock.unlock();
    }
    RuntimeException failure = null;
    for (Retired submission : running) {
      try {
        Waits.uninterruptibly(submission.completion());
      } catch (RuntimeException lost) {
        failure = lost;
      }
      submission.buffers().forEach(StagingBuffer::close);
    }
    if (failure != null) {
      throw failure;
    }
  }

  void release(DeviceBuffer buffer) {
    lock.lock();
    try {
      lent--;
      if (closed) {
        discard(buffer);
      } else {
        free.add(buffer);
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Takes back buffers that {@code completion} may still use. */
  void retire(List<StagingBuffer> buffers, @Nullable Completion completion) {
    if (completion == null || completion.isDone()) {
      buffers.forEach(StagingBuffer::close);
      return;
    }
    lock.lock();
    try {
      if (!closed) {
        retired.add(new Retired(List.copyOf(buffers), completion));
        changed.signalAll();
        return;
      }
    } finally {
      lock.unlock();
    }
    try {
      Waits.uninterruptibly(completion);
    } finally {
      buffers.forEach(StagingBuffer::close);
    }
  }

  private long checkedSize(long size, BufferUse use) {
    long limit = largest();
    if (use == BufferUse.DEVICE || size < 0 || size > limit) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot acquire a staging buffer of %d bytes for %s: 0 to %d bytes for UPLOAD or"
                  + " READBACK can be lent; copy in smaller pieces",
              size, use, limit));
    }
    long power = size <= 1 ? 1 : Long.highestOneBit(size - 1) << 1;
    return Math.max(SMALLEST, power);
  }

  /** The smallest free buffer that is large enough, or a new one; null when none can be had now. */
  private @Nullable DeviceBuffer find(long wanted, BufferUse use) {
    DeviceBuffer best = null;
    for (DeviceBuffer buffer : free) {
      if (buffer.use() == use
          && buffer.bytes() >= wanted
          && (best == null || buffer.bytes() < best.bytes())) {
        best = buffer;
      }
    }
    if (best != null) {
      free.remove(best);
      return best;
    }
    if (bytes + wanted > budget && !makeRoom(wanted)) {
      return null;
    }
    DeviceBuffer buffer = device.allocate(wanted, use);
    bytes += wanted;
    allocations++;
    return buffer;
  }

  private boolean makeRoom(long wanted) {
    long freeBytes = free.stream().mapToLong(DeviceBuffer::bytes).sum();
    if (bytes - freeBytes + wanted > budget) {
      return false;
    }
    while (bytes + wanted > budget) {
      discard(free.remove(free.size() - 1));
    }
    return true;
  }

  private void discard(DeviceBuffer buffer) {
    bytes -= buffer.bytes();
    buffer.close();
  }

  /** Takes back the buffers of submissions that have completed. */
  private void reap() {
    for (Iterator<Retired> all = retired.iterator(); all.hasNext(); ) {
      Retired submission = all.next();
      if (submission.completion().isDone()) {
        all.remove();
        submission.buffers().forEach(StagingBuffer::close);
      }
    }
  }

  private <T> T locked(Supplier<T> read) {
    lock.lock();
    try {
      return read.get();
    } finally {
      lock.unlock();
    }
  }

  /** Buffers that go back when a submission has completed. */
  private record Retired(List<StagingBuffer> buffers, Completion completion) {}
}
