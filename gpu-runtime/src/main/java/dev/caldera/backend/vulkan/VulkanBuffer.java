package dev.caldera.backend.vulkan;

import dev.caldera.memory.BufferUse;
import dev.caldera.memory.DeviceBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.lwjgl.system.MemoryUtil;

/**
 * A VkBuffer with memory of its own.
 *
 * <p>Closing waits for the submissions that use it, so that a buffer closed too early never takes
 * the device with it; a recording that was not submitted yet is refused when it is.
 */
final class VulkanBuffer implements DeviceBuffer {
  private final VulkanMemory memory;
  private final long bytes;
  private final BufferUse use;
  private final Handles handles;

  private volatile boolean closed;
  private long lastSubmission;

  VulkanBuffer(VulkanMemory memory, long bytes, BufferUse use, Handles handles) {
    this.memory = memory;
    this.bytes = bytes;
    this.use = use;
    this.handles = handles;
  }

  /**
   * The native side.
   *
   * @param buffer VkBuffer
   * @param memory VkDeviceMemory
   * @param address device address of the first byte
   * @param host address of the mapped first byte, or 0
   */
  record Handles(long buffer, long memory, long address, long host) {}

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public BufferUse use() {
    return use;
  }

  Handles handles() {
    return handles;
  }

  /** The device that it belongs to. */
  VulkanMemory memory() {
    return memory;
  }

  /** Device address of byte {@code offset}. */
  long address(long offset) {
    return handles.address() + offset;
  }

  @Override
  public ByteBuffer mapped() {
    if (handles.host() == 0) {
      throw new IllegalStateException(
          "Cannot map a " + use + " buffer of " + bytes + " bytes: the host cannot see it");
    }
    requireOpen("map");
    return MemoryUtil.memByteBuffer(handles.host(), Math.toIntExact(bytes))
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Throws when it was closed. */
  void requireOpen(String action) {
    if (closed) {
      throw new IllegalStateException(
          "Cannot " + action + " a " + use + " buffer of " + bytes + " bytes: it is closed");
    }
  }

  /** Notes that submission {@code number} uses it. Under the queue's lock. */
  void usedBy(long number) {
    lastSubmission = number;
  }

  /** The last submission that uses it, 0 for none. Under the queue's lock. */
  long lastSubmission() {
    return lastSubmission;
  }

  boolean isClosed() {
    return closed;
  }

  /** Marks it as closed: whether it was open. Under the queue's lock. */
  boolean markClosed() {
    boolean open = !closed;
    closed = true;
    return open;
  }

  @Override
  public void close() {
    memory.free(this);
  }
}
