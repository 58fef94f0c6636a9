package dev.caldera.backend.vulkan;

import static org.lwjgl.vulkan.VK10.VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
import static org.lwjgl.vulkan.VK10.VK_BUFFER_USAGE_TRANSFER_DST_BIT;
import static org.lwjgl.vulkan.VK10.VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
import static org.lwjgl.vulkan.VK10.VK_ERROR_OUT_OF_HOST_MEMORY;
import static org.lwjgl.vulkan.VK10.VK_NULL_HANDLE;
import static org.lwjgl.vulkan.VK10.VK_SHARING_MODE_EXCLUSIVE;
import static org.lwjgl.vulkan.VK10.VK_WHOLE_SIZE;
import static org.lwjgl.vulkan.VK10.vkAllocateMemory;
import static org.lwjgl.vulkan.VK10.vkBindBufferMemory;
import static org.lwjgl.vulkan.VK10.vkCreateBuffer;
import static org.lwjgl.vulkan.VK10.vkDestroyBuffer;
import static org.lwjgl.vulkan.VK10.vkFreeMemory;
import static org.lwjgl.vulkan.VK10.vkGetBufferMemoryRequirements;
import static org.lwjgl.vulkan.VK10.vkMapMemory;
import static org.lwjgl.vulkan.VK12.VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
import static org.lwjgl.vulkan.VK12.VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
import static org.lwjgl.vulkan.VK12.vkGetBufferDeviceAddress;

import dev.caldera.memory.AllocationCounters;
import dev.caldera.memory.BufferUse;
import dev.caldera.memory.OutOfDeviceMemoryException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VkBufferCreateInfo;
import org.lwjgl.vulkan.VkBufferDeviceAddressInfo;
import org.lwjgl.vulkan.VkMemoryAllocateFlagsInfo;
import org.lwjgl.vulkan.VkMemoryAllocateInfo;
import org.lwjgl.vulkan.VkMemoryRequirements;

/**
 * Allocates the buffers of a device and frees them.
 *
 * <p>Behind each buffer lie {@value #SLACK} bytes that belong to nobody, because addresses have no
 * bounds checks and a kernel may read a vector past the end of its last row.
 */
final class VulkanMemory {
  /** What a buffer's address is a multiple of. */
  static final int ALIGNMENT = 256;

  private static final int SLACK = 256;
  private static final int USAGE =
      VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
          | VK_BUFFER_USAGE_TRANSFER_SRC_BIT
          | VK_BUFFER_USAGE_TRANSFER_DST_BIT
          | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

  private final VulkanContext context;
  private final SubmissionQueue queue;
  private final AllocationCounters counters = new AllocationCounters();
  private final AtomicLong deviceBytes = new AtomicLong();
  private final Set<VulkanBuffer> live = ConcurrentHashMap.newKeySet();

  VulkanMemory(VulkanContext context, SubmissionQueue queue) {
    this.context = context;
    this.queue = queue;
  }

  AllocationCounters counters() {
    return counters;
  }

  long allocationLimit() {
    return context.limits().allocationBytes() / ALIGNMENT * ALIGNMENT - ALIGNMENT - SLACK;
  }

  /** Allocates a buffer; one that the host sees is zeroed, one that it does not is not yet. */
  VulkanBuffer allocate(long bytes, BufferUse use) {
    long limit =
        use == BufferUse.DEVICE
            ? allocationLimit()
            : Math.min(allocationLimit(), Integer.MAX_VALUE);
    if (bytes <= 0 || bytes > limit) {
      throw new IllegalArgumentException(
          "Cannot allocate "
              + bytes
              + " bytes for "
              + use
              + " on "
              + context.name()
              + ": one allocation takes 1 to "
              + limit
              + " bytes");
    }
    String action = "allocate " + bytes + " bytes for " + use + " on " + context.name();
    long size = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + SLACK;
    long heap = context.limits().deviceHeapBytes();
    if (use == BufferUse.DEVICE && size > heap - deviceBytes.get()) {
      throw new OutOfDeviceMemoryException(
          "Cannot "
              + action
              + ": its heap has "
              + heap
              + " bytes, of which "
              + deviceBytes.get()
              + " are taken");
    }
    try (VulkanContext.Use inside = context.enter()) {
      VulkanBuffer buffer = new VulkanBuffer(this, bytes, use, create(size, use, action));
      counters.allocated(bytes);
      deviceBytes.addAndGet(use == BufferUse.DEVICE ? bytes : 0);
      live.add(buffer);
      return buffer;
    }
  }

  private VulkanBuffer.Handles create(long size, BufferUse use, String action) {
    long[] buffer = new long[1];
    long[] memory = new long[1];
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkBufferCreateInfo info =
          VkBufferCreateInfo.calloc(stack)
              .sType$Default()
              .size(size)
              .usage(USAGE)
              .sharingMode(VK_SHARING_MODE_EXCLUSIVE);
      context.check(vkCreateBuffer(context.handle(), info, null, buffer), action);
      VkMemoryRequirements needs = VkMemoryRequirements.calloc(stack);
      vkGetBufferMemoryRequirements(context.handle(), buffer[0], needs);
      VkMemoryAllocateFlagsInfo flags =
          VkMemoryAllocateFlagsInfo.calloc(stack)
              .sType$Default()
              .flags(VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT);
      VkMemoryAllocateInfo allocate =
          VkMemoryAllocateInfo.calloc(stack)
              .sType$Default()
              .pNext(flags)
              .allocationSize(needs.size())
              .memoryTypeIndex(
                  context.physical().memoryTypes().choose(use, needs.memoryTypeBits()));
      int result = vkAllocateMemory(context.handle(), allocate, null, memory);
      if (result == VK_ERROR_OUT_OF_HOST_MEMORY) {
        throw new OutOfDeviceMemoryException("Cannot " + action + ": the host is out of memory");
      }
      context.check(result, action);
      context.check(vkBindBufferMemory(context.handle(), buffer[0], memory[0], 0), action);
      long address =
          vkGetBufferDeviceAddress(
              context.handle(),
              VkBufferDeviceAddressInfo.calloc(stack).sType$Default().buffer(buffer[0]));
      if (address == 0 || address % ALIGNMENT != 0) {
        throw new VulkanException(
            "Cannot " + action + ": its address " + address + " is not a multiple of " + ALIGNMENT);
      }
      return new VulkanBuffer.Handles(
          buffer[0],
          memory[0],
          address,
          use == BufferUse.DEVICE ? 0 : map(memory[0], size, stack, action));
    } catch (RuntimeException e) {
      release(buffer[0], memory[0]);
      throw e;
    }
  }

  private long map(long memory, long size, MemoryStack stack, String action) {
    PointerBuffer host = stack.mallocPointer(1);
    context.check(vkMapMemory(context.handle(), memory, 0, VK_WHOLE_SIZE, 0, host), action);
    MemoryUtil.memSet(host.get(0), 0, size);
    return host.get(0);
  }

  /** Frees a buffer once the submissions that use it have run; does nothing the second time. */
  void free(VulkanBuffer buffer) {
    long last = queue.retire(buffer);
    if (last < 0) {
      return;
    }
    try {
      if (last > 0 && !context.isLost()) {
        queue.awaitUninterruptibly(last);
      }
    } finally {
      try (VulkanContext.Use inside = context.tryEnter()) {
        if (inside != null) {
          forget(buffer);
        }
      }
    }
  }

  /** Buffers that are not closed. */
  Set<VulkanBuffer> live() {
    return Set.copyOf(live);
  }

  /** Frees what is still open; inside {@link VulkanContext#destroy}. */
  void destroy() {
    for (VulkanBuffer buffer : live()) {
      queue.retire(buffer);
      forget(buffer);
    }
  }

  private void forget(VulkanBuffer buffer) {
    if (live.remove(buffer)) {
      release(buffer.handles().buffer(), buffer.handles().memory());
      counters.freed(buffer.bytes());
      deviceBytes.addAndGet(buffer.use() == BufferUse.DEVICE ? -buffer.bytes() : 0);
    }
  }

  private void release(long buffer, long memory) {
    if (buffer != VK_NULL_HANDLE) {
      vkDestroyBuffer(context.handle(), buffer, null);
    }
    if (memory != VK_NULL_HANDLE) {
      vkFreeMemory(context.handle(), memory, null);
    }
  }
}
