package dev.caldera.backend.vulkan;

import static org.lwjgl.vulkan.VK10.VK_ERROR_DEVICE_LOST;

import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import org.lwjgl.vulkan.VkDevice;

/**
 * A VkDevice, and the guard that keeps native calls off it once it is gone.
 *
 * <p>Every native call of this package stands between {@link #enter} and the close of what that
 * returned. Many threads may be inside; destroying the device waits until none is and lets none in
 * afterwards. The guard is the outermost lock: a monitor of this package is taken inside it, and
 * nobody who holds one waits to enter. A lost device stays lost: it is poisoned with a message, and
 * every later call throws.
 */
final class VulkanContext {
  private final VkDevice handle;
  private final PhysicalDevice physical;
  private final ReentrantReadWriteLock guard = new ReentrantReadWriteLock();
  private final Use leave = () -> guard.readLock().unlock();

  private volatile @Nullable String poison;
  private volatile boolean hangs;
  private boolean destroyed;

  VulkanContext(VkDevice handle, PhysicalDevice physical) {
    this.handle = handle;
    this.physical = physical;
  }

  /** A stay inside the guard; closed by the thread that entered. */
  interface Use extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Enters the guard for native calls.
   *
   * @throws IllegalStateException if the device is closed
   * @throws VulkanException if it is lost
   */
  Use enter() {
    Use use = tryEnter();
    if (use == null) {
      throw new IllegalStateException("Cannot use device " + name() + ": it is closed");
    }
    String lost = poison;
    if (lost != null) {
      use.close();
      throw new VulkanException(lost);
    }
    return use;
  }

  /** Enters the guard to free something, lost device or not; null when the device is closed. */
  @Nullable Use tryEnter() {
    guard.readLock().lock();
    if (destroyed) {
      guard.readLock().unlock();
      return null;
    }
    return leave;
  }

  /** Runs {@code destruction} once no thread is inside the guard, and lets none in afterwards. */
  void destroy(Runnable destruction) {
    guard.writeLock().lock();
    try {
      if (!destroyed) {
        destroyed = true;
        destruction.run();
      }
    } finally {
      guard.writeLock().unlock();
    }
  }

  /** Passes VK_SUCCESS only; see {@link VulkanException#check}. A lost device is poisoned. */
  void check(int result, String action) {
    if (result == VK_ERROR_DEVICE_LOST) {
      throw poison(
          "Cannot "
              + action
              + ": the device "
              + name()
              + " was lost (a kernel read outside its memory, ran longer than the driver allows,"
              + " or the hardware failed); close it and open it again");
    }
    VulkanException.check(result, action);
  }

  private VulkanException poison(String message) {
    if (poison == null) {
      poison = message;
    }
    return new VulkanException(message);
  }

  /** Takes the device for lost, though it still works on something and so may never be freed. */
  VulkanException hang(String message) {
    hangs = true;
    return poison(message);
  }

  /** Whether the device was lost. */
  boolean isLost() {
    return poison != null;
  }

  /** Whether it was lost while it works on something. */
  boolean hangs() {
    return hangs;
  }

  VkDevice handle() {
    return handle;
  }

  DeviceLimits limits() {
    return physical.limits();
  }

  PhysicalDevice physical() {
    return physical;
  }

  String name() {
    return physical.info().name();
  }
}
