package dev.caldera.backend.vulkan;

/**
 * Decides where a recording needs barriers.
 *
 * <p>Terms. A <em>command</em> is a copy or a step; it reads and writes intervals of device
 * addresses. Two commands <em>conflict</em> when one writes what the other reads or writes: read
 * after write, write after read, write after write. Commands between two barriers may run side by
 * side, so no two of them may conflict.
 *
 * <p>Steps, for each command: declare all intervals it reads and writes; {@link #endCommand} then
 * says whether it conflicts with a command since the last barrier. If so, the recorder adds a
 * barrier in front of it, and what stood before that barrier is forgotten. Slots reuse each other's
 * bytes at other offsets, so intervals are compared, never names.
 */
final class HazardTracker {
  private final IntervalSet reads = new IntervalSet();
  private final IntervalSet writes = new IntervalSet();
  private final IntervalSet newReads = new IntervalSet();
  private final IntervalSet newWrites = new IntervalSet();
  private boolean conflict;
  private int barriers;

  /** The command reads {@code bytes} bytes from {@code address} on. */
  void read(long address, long bytes) {
    conflict |= writes.intersects(address, address + bytes);
    newReads.add(address, address + bytes);
  }

  /** The command writes {@code bytes} bytes from {@code address} on. */
  void write(long address, long bytes) {
    conflict |=
        writes.intersects(address, address + bytes) || reads.intersects(address, address + bytes);
    newWrites.add(address, address + bytes);
  }

  /** Ends the declaration of a command: whether a barrier must stand in front of it. */
  boolean endCommand() {
    boolean barrier = conflict;
    if (barrier) {
      reads.clear();
      writes.clear();
      barriers++;
    }
    newReads.moveTo(reads);
    newWrites.moveTo(writes);
    conflict = false;
    return barrier;
  }

  /** Barriers asked for since the last {@link #reset}. */
  int barriers() {
    return barriers;
  }

  /** Forgets everything, for a new recording. */
  void reset() {
    reads.clear();
    writes.clear();
    newReads.clear();
    newWrites.clear();
    conflict = false;
    barriers = 0;
  }
}
