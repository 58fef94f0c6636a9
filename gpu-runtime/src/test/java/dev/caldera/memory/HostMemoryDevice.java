package dev.caldera.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A device in host memory, so that arena and pools are tested without a GPU. Submissions run when
 * they are submitted, or, on a device made by {@link #deferred}, when {@link #runNext} says so.
 */
public final class HostMemoryDevice implements MemoryDevice, AutoCloseable {
  private final long allocationLimit;
  private final long memoryBytes;
  private final boolean deferred;
  private final AllocationCounters counters = new AllocationCounters();
  private final Queue<HostCompletion> waiting = new ArrayDeque<>();
  private int submissions;

  private HostMemoryDevice(long allocationLimit, long memoryBytes, boolean deferred) {
    this.allocationLimit = allocationLimit;
    this.memoryBytes = memoryBytes;
    this.deferred = deferred;
  }

  /** A device whose submissions run at once. */
  public static HostMemoryDevice open() {
    return new HostMemoryDevice(1 << 30, 1L << 31, false);
  }

  /** A device whose submissions wait for {@link #runNext}. */
  public static HostMemoryDevice deferred() {
    return new HostMemoryDevice(1 << 30, 1L << 31, true);
  }

  /** A device with little memory, and allocations smaller still. */
  public static HostMemoryDevice small(long allocationLimit, long memoryBytes) {
    return new HostMemoryDevice(allocationLimit, memoryBytes, false);
  }

  @Override
  public synchronized DeviceBuffer allocate(long bytes, BufferUse use) {
    if (bytes <= 0 || bytes > allocationLimit) {
      throw new IllegalArgumentException(
          "Cannot allocate " + bytes + " bytes: at most " + allocationLimit + " are allowed");
    }
    if (counters.liveBytes() + bytes > memoryBytes) {
      throw new OutOfDeviceMemoryException(
          "Cannot allocate " + bytes + " bytes: the device has " + memoryBytes);
    }
    counters.allocated(bytes);
    return new HostBuffer(bytes, use, counters);
  }

  @Override
  public long allocationLimit() {
    return allocationLimit;
  }

  @Override
  public Commands begin() {
    return new HostCommands(this);
  }

  @Override
  public AllocationCounters counters() {
    return counters;
  }

  /** How many submissions there have been. */
  public synchronized int submissions() {
    return submissions;
  }

  /** Runs the oldest submission that waits. */
  public void runNext() {
    HostCompletion next;
    synchronized (this) {
      next = waiting.remove();
    }
    next.run();
  }

  private synchronized Completion submit(List<Runnable> commands) {
    submissions++;
    HostCompletion completion = new HostCompletion(commands);
    if (deferred) {
      waiting.add(completion);
    } else {
      completion.run();
    }
    return completion;
  }

  @Override
  public void close() {
    if (counters.liveBuffers() != 0) {
      throw new IllegalStateException(counters.liveBuffers() + " buffers are open");
    }
  }

  private static final class HostBuffer implements DeviceBuffer {
    private final long bytes;
    private final BufferUse use;
    private final AllocationCounters counters;
    private @Nullable ByteBuffer memory;

    HostBuffer(long bytes, BufferUse use, AllocationCounters counters) {
      this.bytes = bytes;
      this.use = use;
      this.counters = counters;
      this.memory = ByteBuffer.allocate(Math.toIntExact(bytes));
    }

    synchronized ByteBuffer memory() {
      if (memory == null) {
        throw new IllegalStateException("Cannot use a buffer of " + bytes + " bytes: it is closed");
      }
      return memory;
    }

    @Override
    public long bytes() {
      return bytes;
    }

    @Override
    public BufferUse use() {
      return use;
    }

    @Override
    public ByteBuffer mapped() {
      if (use == BufferUse.DEVICE) {
        throw new IllegalStateException("Cannot map a buffer for " + use);
      }
      return memory().duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public synchronized void close() {
      if (memory != null) {
        memory = null;
        counters.freed(bytes);
      }
    }
  }

  private static final class HostCommands implements Commands {
    private final HostMemoryDevice device;
    private final List<Runnable> commands = new ArrayList<>();
    private boolean submitted;

    HostCommands(HostMemoryDevice device) {
      this.device = device;
    }

    @Override
    public void copy(
        DeviceBuffer source,
        long sourceOffset,
        DeviceBuffer target,
        long targetOffset,
        long bytes) {
      Objects.checkFromIndexSize(sourceOffset, bytes, source.bytes());
      Objects.checkFromIndexSize(targetOffset, bytes, target.bytes());
      if (source == target
          && sourceOffset < targetOffset + bytes
          && targetOffset < sourceOffset + bytes) {
        throw new IndexOutOfBoundsException("Cannot copy between overlapping ranges");
      }
      commands.add(
          () ->
              ((HostBuffer) target)
                  .memory()
                  .put(
                      (int) targetOffset,
                      ((HostBuffer) source).memory(),
                      (int) sourceOffset,
                      (int) bytes));
    }

    @Override
    public Completion submit() {
      if (submitted) {
        throw new IllegalStateException("Cannot submit twice");
      }
      submitted = true;
      return device.submit(List.copyOf(commands));
    }

    @Override
    public void close() {
      commands.clear();
    }
  }

  private static final class HostCompletion implements Completion {
    private final List<Runnable> commands;
    private final CountDownLatch done = new CountDownLatch(1);

    HostCompletion(List<Runnable> commands) {
      this.commands = commands;
    }

    void run() {
      commands.forEach(Runnable::run);
      done.countDown();
    }

    @Override
    public void await() throws InterruptedException {
      done.await();
    }

    @Override
    public boolean isDone() {
      return done.getCount() == 0;
    }

    @Override
    public long deviceNanos() {
      return 0;
    }
  }
}
