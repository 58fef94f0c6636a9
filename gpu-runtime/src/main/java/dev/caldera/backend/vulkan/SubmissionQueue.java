package dev.caldera.backend.vulkan;

import static org.lwjgl.vulkan.VK10.VK_NULL_HANDLE;
import static org.lwjgl.vulkan.VK10.VK_SUCCESS;
import static org.lwjgl.vulkan.VK10.VK_TIMEOUT;
import static org.lwjgl.vulkan.VK10.vkCreateSemaphore;
import static org.lwjgl.vulkan.VK10.vkDestroySemaphore;
import static org.lwjgl.vulkan.VK10.vkGetDeviceQueue;
import static org.lwjgl.vulkan.VK10.vkQueueSubmit;
import static org.lwjgl.vulkan.VK12.VK_SEMAPHORE_TYPE_TIMELINE;
import static org.lwjgl.vulkan.VK12.vkGetSemaphoreCounterValue;
import static org.lwjgl.vulkan.VK12.vkWaitSemaphores;

import java.time.Duration;
import java.util.Collection;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkQueue;
import org.lwjgl.vulkan.VkSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreTypeCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;
import org.lwjgl.vulkan.VkSubmitInfo;
import org.lwjgl.vulkan.VkTimelineSemaphoreSubmitInfo;

/**
 * The queue of a device and its one timeline semaphore: submission n sets the semaphore to n.
 *
 * <p>Waits are made of short polls, so that they can be interrupted and the device can be closed
 * under them. They are bounded: when no submission finishes for {@code patience}, the queue is
 * taken for hung and the device for lost, because a kernel that reads far outside its memory can
 * stop a queue without any error from the driver.
 */
final class SubmissionQueue {
  private static final Duration POLL = Duration.ofMillis(20);

  private final VulkanContext context;
  private final VkQueue queue;
  private final long semaphore;
  private final Duration patience;
  private long submitted;

  SubmissionQueue(VulkanContext context, Duration patience) {
    this.context = context;
    this.patience = patience;
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer pointer = stack.mallocPointer(1);
      vkGetDeviceQueue(context.handle(), context.physical().queueFamily(), 0, pointer);
      this.queue = new VkQueue(pointer.get(0), context.handle());
      VkSemaphoreTypeCreateInfo type =
          VkSemaphoreTypeCreateInfo.calloc(stack)
              .sType$Default()
              .semaphoreType(VK_SEMAPHORE_TYPE_TIMELINE);
      long[] handle = new long[1];
      context.check(
          vkCreateSemaphore(
              context.handle(),
              VkSemaphoreCreateInfo.calloc(stack).sType$Default().pNext(type),
              null,
              handle),
          "create a timeline semaphore");
      this.semaphore = handle[0];
    }
  }

  /**
   * Submits recorded commands.
   *
   * @param buffers those that the commands use; they are kept from being freed until they have run
   * @return the submission's number
   * @throws IllegalStateException if one of {@code buffers} is closed
   */
  synchronized long submit(VkCommandBuffer commands, Collection<VulkanBuffer> buffers) {
    buffers.forEach(buffer -> buffer.requireOpen("submit commands over"));
    long number = submitted + 1;
    try (VulkanContext.Use use = context.enter();
        MemoryStack stack = MemoryStack.stackPush()) {
      VkTimelineSemaphoreSubmitInfo timeline =
          VkTimelineSemaphoreSubmitInfo.calloc(stack)
              .sType$Default()
              .signalSemaphoreValueCount(1)
              .pSignalSemaphoreValues(stack.longs(number));
      VkSubmitInfo info =
          VkSubmitInfo.calloc(stack)
              .sType$Default()
              .pNext(timeline)
              .pCommandBuffers(stack.pointers(commands))
              .pSignalSemaphores(stack.longs(semaphore));
      context.check(vkQueueSubmit(queue, info, VK_NULL_HANDLE), "submit commands");
    }
    submitted = number;
    buffers.forEach(buffer -> buffer.usedBy(number));
    return number;
  }

  /** Marks a buffer as closed, and says which submission must have run before it may be freed. */
  synchronized long retire(VulkanBuffer buffer) {
    return buffer.markClosed() ? buffer.lastSubmission() : -1;
  }

  /** The number of the last submission. */
  synchronized long submitted() {
    return submitted;
  }

  /** The number of the last submission that has run; all before it have run too. */
  long completed() {
    try (VulkanContext.Use use = context.enter()) {
      long[] value = new long[1];
      context.check(
          vkGetSemaphoreCounterValue(context.handle(), semaphore, value), "read a semaphore");
      return value[0];
    }
  }

  /**
   * Waits until submission {@code number} has run.
   *
   * @throws InterruptedException if interrupted while waiting
   * @throws VulkanException if the device is lost or hangs
   */
  void await(long number) throws InterruptedException {
    long progress = completed();
    long since = System.nanoTime();
    while (progress < number) {
      if (Thread.interrupted()) {
        throw new InterruptedException(
            "Interrupted while waiting for submission " + number + " on " + context.name());
      }
      if (poll(number)) {
        return;
      }
      long now = completed();
      if (now > progress) {
        progress = now;
        since = System.nanoTime();
      } else if (System.nanoTime() - since > patience.toNanos()) {
        throw context.hang(
            "Cannot finish submission "
                + number
                + " on "
                + context.name()
                + ": the device made no progress for "
                + patience.toSeconds()
                + " s; its queue hangs, and it is taken for lost");
      }
    }
  }

  /** As {@link #await}, and an interrupt is kept for later. */
  void awaitUninterruptibly(long number) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          await(number);
          return;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean poll(long number) {
    try (VulkanContext.Use use = context.enter();
        MemoryStack stack = MemoryStack.stackPush()) {
      VkSemaphoreWaitInfo info =
          VkSemaphoreWaitInfo.calloc(stack)
              .sType$Default()
              .semaphoreCount(1)
              .pSemaphores(stack.longs(semaphore))
              .pValues(stack.longs(number));
      int result = vkWaitSemaphores(context.handle(), info, POLL.toNanos());
      if (result == VK_TIMEOUT) {
        return false;
      }
      context.check(result == VK_SUCCESS ? VK_SUCCESS : result, "wait for submission " + number);
      return true;
    }
  }

  /** Destroys the semaphore; inside {@link VulkanContext#destroy}. */
  void destroy() {
    vkDestroySemaphore(context.handle(), semaphore, null);
  }
}
