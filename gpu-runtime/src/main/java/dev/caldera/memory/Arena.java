package dev.caldera.memory;

import dev.caldera.plan.MemoryPlan;
import dev.caldera.plan.Operand;
import dev.caldera.plan.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The planned memory of a device: reserved once for the largest plan, slots at planned offsets.
 *
 * <p>A run holds the arena from its recording until it has completed. A plan that is larger than
 * what is reserved makes the arena grow, which waits until nothing is in flight; what the slots
 * held is then lost. Closing gives the memory back once nothing is in flight. Thread-safe.
 */
public final class Arena implements AutoCloseable {
  private final MemoryDevice device;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private List<DeviceBuffer> chunks = List.of();
  private int holds;
  private int growing;
  private boolean closed;

  private Arena(MemoryDevice device) {
    this.device = device;
  }

  /**
   * An arena with room for a plan.
   *
   * @param plan of the largest shape bucket that will run
   * @throws OutOfDeviceMemoryException if the device has not that much room
   */
  public static Arena reserve(MemoryDevice device, MemoryPlan plan) {
    Arena arena = new Arena(device);
    arena.grow(plan);
    return arena;
  }

  /** The arena's allocations, by chunk index. */
  public List<DeviceBuffer> chunks() {
    lock.lock();
    try {
      checkOpen();
      return chunks;
    } finally {
      lock.unlock();
    }
  }

  /** Bytes reserved, all chunks. */
  public long bytes() {
    return chunks().stream().mapToLong(DeviceBuffer::bytes).sum();
  }

  /** Whether a plan's slots and scratch lie within what is reserved. */
  public boolean fits(MemoryPlan plan) {
    List<DeviceBuffer> present = chunks();
    List<Long> wanted = plan.chunkBytes();
    for (int i = 0; i < wanted.size(); i++) {
      if (i >= present.size() || present.get(i).bytes() < wanted.get(i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Holds the arena for a run of {@code plan}, from before its recording until it has completed.
   *
   * <p>Grows the arena first when the plan does not fit: waits until nothing is in flight, and lets
   * no other run begin meanwhile.
   *
   * @throws InterruptedException if interrupted while waiting; nothing is held then
   * @throws OutOfDeviceMemoryException if the device has no room to grow; nothing is held then
   * @throws IllegalStateException if the arena is closed
   */
  public Hold hold(MemoryPlan plan) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (growing > 0 && !closed) {
        changed.await();
      }
      checkOpen();
      if (!fits(plan)) {
        growing++;
        try {
          while (holds > 0 && !closed) {
            changed.await();
          }
          checkOpen();
          grow(plan);
        } finally {
          growing--;
          changed.signalAll();
        }
      }
      holds++;
      return new Hold(this);
    } finally {
      lock.unlock();
    }
  }

  /** The whole of a slot. */
  public BufferRange range(Slot slot) {
    List<DeviceBuffer> present = chunks();
    if (slot.chunk() >= present.size() || present.get(slot.chunk()).bytes() < slot.end()) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot find %s in an arena with chunks of %s bytes: reserve it for the slot's plan",
              slot, present.stream().map(DeviceBuffer::bytes).toList()));
    }
    return new BufferRange(present.get(slot.chunk()), slot.offset(), slot.bytes());
  }

  /**
   * The first bytes of a slot: a tensor of an actual length that is less than the slot's capacity.
   *
   * @throws IllegalArgumentException if the length is negative or over the slot's capacity
   */
  public BufferRange range(Slot slot, long bytes) {
    if (bytes < 0 || bytes > slot.bytes()) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot use %d bytes of %s: its capacity is %d", bytes, slot, slot.bytes()));
    }
    return range(slot).part(0, bytes);
  }

  /**
   * What a slot's tensor takes under a run's actual sizes: the first bytes of a row-major slot, the
   * whole slot in any other layout, whose blocks stand a capacity apart.
   *
   * @throws IllegalArgumentException if the actual size is over the slot's capacity
   */
  public BufferRange range(Operand.SlotOperand operand, Map<String, Long> sizes) {
    return SlotTransfers.checkedRange(this, operand, sizes);
  }

  /**
   * Records a copy of bytes from one slot to another, or inside one.
   *
   * @throws IndexOutOfBoundsException if a range does not lie in its slot
   */
  public void copy(
      Commands commands,
      Slot source,
      long sourceOffset,
      Slot target,
      long targetOffset,
      long bytes) {
    copy(
        commands, range(source).part(sourceOffset, bytes), range(target).part(targetOffset, bytes));
  }

  /** Records a copy of the first bytes of a slot to the start of another. */
  public void copyPrefix(Commands commands, Slot source, Slot target, long bytes) {
    copy(commands, range(source, bytes), range(target, bytes));
  }

  /** Records a copy of the first bytes of a slot to the same slot of another arena. */
  public void copyToTwin(Commands commands, Arena twin, Slot slot, long bytes) {
    copy(commands, range(slot, bytes), twin.range(slot, bytes));
  }

  private static void copy(Commands commands, BufferRange source, BufferRange target) {
    if (source.bytes() > 0) {
      commands.copy(
          source.buffer(), source.offset(), target.buffer(), target.offset(), source.bytes());
    }
  }

  /** Gives the memory back, as soon as nothing is in flight; a second call does nothing. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      freeIfDone();
    } finally {
      lock.unlock();
    }
  }

  private void release() {
    lock.lock();
    try {
      holds--;
      changed.signalAll();
      freeIfDone();
    } finally {
      lock.unlock();
    }
  }

  private void freeIfDone() {
    if (closed && holds == 0) {
      chunks.forEach(DeviceBuffer::close);
      chunks = List.of();
    }
  }

  /** Makes every chunk at least as large as the plan wants; the old ones go first. */
  private void grow(MemoryPlan plan) {
    List<Long> wanted = plan.chunkBytes();
    List<DeviceBuffer> grown = new ArrayList<>(chunks);
    chunks = List.of();
    try {
      for (int i = 0; i < wanted.size(); i++) {
        if (i < grown.size() && grown.get(i).bytes() < wanted.get(i)) {
          grown.get(i).close();
          grown.set(i, device.allocate(wanted.get(i), BufferUse.DEVICE));
        } else if (i >= grown.size()) {
          grown.add(device.allocate(wanted.get(i), BufferUse.DEVICE));
        }
      }
    } catch (RuntimeException failure) {
      grown.forEach(DeviceBuffer::close);
      throw failure;
    }
    chunks = List.copyOf(grown);
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("Cannot use the arena: it is closed");
    }
  }

  /** A run's claim on the arena; closing it, once the run has completed, lets the arena go. */
  public static final class Hold implements AutoCloseable {
    private final Arena arena;
    private boolean released;

    private Hold(Arena arena) {
      this.arena = arena;
    }

    @Override
    public synchronized void close() {
      if (!released) {
        released = true;
        arena.release();
      }
    }
  }
}
