package dev.caldera.backend.vulkan;

import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;

import dev.caldera.memory.BufferUse;
import java.util.List;

/**
 * The memory types of a device, and which of them suits a use.
 *
 * <p>Weights and activations lie where the host cannot see them, if there is such a place: on a
 * discrete GPU the host-visible part of the device's memory is slower for kernels, and small. What
 * the host writes and reads lies in host memory, coherent so that no flush is needed, and cached
 * for reading, because reading uncached memory is some hundred times slower.
 *
 * @param types property flags and heap of each type, by the driver's index
 */
record MemoryTypes(List<Type> types) {
  private static final int HOST =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

  MemoryTypes {
    types = List.copyOf(types);
  }

  /**
   * One memory type.
   *
   * @param flags VkMemoryPropertyFlags
   * @param heapBytes size of its heap
   */
  record Type(int flags, long heapBytes) {
    private boolean has(int wanted) {
      return (flags & wanted) == wanted;
    }
  }

  /**
   * Index of the best type for {@code use} among those whose bit is set in {@code allowed}.
   *
   * @throws IllegalStateException if none suits
   */
  int choose(BufferUse use, int allowed) {
    int best = -1;
    int bestScore = -1;
    for (int index = 0; index < types.size(); index++) {
      if ((allowed & (1 << index)) == 0) {
        continue;
      }
      int score = score(types.get(index), use);
      if (score > bestScore) {
        best = index;
        bestScore = score;
      }
    }
    if (best < 0) {
      throw new IllegalStateException(
          "Cannot place a " + use + " buffer: none of the memory types " + types + " suits");
    }
    return best;
  }

  /** The largest score wins, the lowest index among equals; negative is unsuitable. */
  private static int score(Type type, BufferUse use) {
    boolean local = type.has(VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    boolean visible = type.has(VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT);
    boolean cached = type.has(VK_MEMORY_PROPERTY_HOST_CACHED_BIT);
    switch (use) {
      case DEVICE:
        return local ? (visible ? 1 : 2) : -1;
      case UPLOAD:
        return type.has(HOST) ? (local ? 0 : 1) + (cached ? 0 : 1) : -1;
      case READBACK:
        return type.has(HOST) ? (local ? 0 : 1) + (cached ? 2 : 0) : -1;
    }
    throw new IllegalArgumentException("Cannot place a buffer for " + use);
  }
}
