package dev.caldera.backend.vulkan;

import static org.lwjgl.vulkan.VK10.VK_ACCESS_HOST_READ_BIT;
import static org.lwjgl.vulkan.VK10.VK_ACCESS_MEMORY_READ_BIT;
import static org.lwjgl.vulkan.VK10.VK_ACCESS_MEMORY_WRITE_BIT;
import static org.lwjgl.vulkan.VK10.VK_COMMAND_BUFFER_LEVEL_PRIMARY;
import static org.lwjgl.vulkan.VK10.VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
import static org.lwjgl.vulkan.VK10.VK_PIPELINE_BIND_POINT_COMPUTE;
import static org.lwjgl.vulkan.VK10.VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
import static org.lwjgl.vulkan.VK10.VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT;
import static org.lwjgl.vulkan.VK10.VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
import static org.lwjgl.vulkan.VK10.VK_PIPELINE_STAGE_HOST_BIT;
import static org.lwjgl.vulkan.VK10.VK_PIPELINE_STAGE_TRANSFER_BIT;
import static org.lwjgl.vulkan.VK10.VK_QUERY_RESULT_64_BIT;
import static org.lwjgl.vulkan.VK10.VK_QUERY_TYPE_TIMESTAMP;
import static org.lwjgl.vulkan.VK10.VK_SHADER_STAGE_COMPUTE_BIT;
import static org.lwjgl.vulkan.VK10.VK_WHOLE_SIZE;
import static org.lwjgl.vulkan.VK10.vkAllocateCommandBuffers;
import static org.lwjgl.vulkan.VK10.vkBeginCommandBuffer;
import static org.lwjgl.vulkan.VK10.vkCmdBindPipeline;
import static org.lwjgl.vulkan.VK10.vkCmdCopyBuffer;
import static org.lwjgl.vulkan.VK10.vkCmdDispatch;
import static org.lwjgl.vulkan.VK10.vkCmdFillBuffer;
import static org.lwjgl.vulkan.VK10.vkCmdPipelineBarrier;
import static org.lwjgl.vulkan.VK10.vkCmdPushConstants;
import static org.lwjgl.vulkan.VK10.vkCmdResetQueryPool;
import static org.lwjgl.vulkan.VK10.vkCmdWriteTimestamp;
import static org.lwjgl.vulkan.VK10.vkCreateCommandPool;
import static org.lwjgl.vulkan.VK10.vkCreateQueryPool;
import static org.lwjgl.vulkan.VK10.vkDestroyCommandPool;
import static org.lwjgl.vulkan.VK10.vkDestroyQueryPool;
import static org.lwjgl.vulkan.VK10.vkEndCommandBuffer;
import static org.lwjgl.vulkan.VK10.vkGetQueryPoolResults;
import static org.lwjgl.vulkan.VK10.vkResetCommandPool;

import java.nio.ByteBuffer;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VkBufferCopy;
import org.lwjgl.vulkan.VkCommandBuffer;
import org.lwjgl.vulkan.VkCommandBufferAllocateInfo;
import org.lwjgl.vulkan.VkCommandBufferBeginInfo;
import org.lwjgl.vulkan.VkCommandPoolCreateInfo;
import org.lwjgl.vulkan.VkMemoryBarrier;
import org.lwjgl.vulkan.VkQueryPoolCreateInfo;

/**
 * A command buffer with a pool and two timestamps of its own, so that threads record side by side.
 * Reused by {@link RecordingPool}; used by one thread at a time, inside the guard.
 */
final class Recording {
  private static final int ANY_MEMORY = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  private static final int WORK =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;

  private final VulkanContext context;
  private final long pipelineLayout;
  private final long pool;
  private final long queries;
  private final VkCommandBuffer commands;
  private final VkBufferCopy.Buffer region = VkBufferCopy.calloc(1);
  private final VkMemoryBarrier.Buffer memoryBarrier = VkMemoryBarrier.calloc(1).sType$Default();
  private final ByteBuffer pushConstants;
  private long bound;

  Recording(VulkanContext context, long pipelineLayout) {
    this.context = context;
    this.pipelineLayout = pipelineLayout;
    this.pushConstants = MemoryUtil.memCalloc(context.limits().pushConstantBytes());
    try (MemoryStack stack = MemoryStack.stackPush()) {
      long[] handle = new long[1];
      VkCommandPoolCreateInfo poolInfo =
          VkCommandPoolCreateInfo.calloc(stack)
              .sType$Default()
              .queueFamilyIndex(context.physical().queueFamily());
      context.check(
          vkCreateCommandPool(context.handle(), poolInfo, null, handle), "create a command pool");
      this.pool = handle[0];
      VkCommandBufferAllocateInfo bufferInfo =
          VkCommandBufferAllocateInfo.calloc(stack)
              .sType$Default()
              .commandPool(pool)
              .level(VK_COMMAND_BUFFER_LEVEL_PRIMARY)
              .commandBufferCount(1);
      PointerBuffer pointer = stack.mallocPointer(1);
      context.check(
          vkAllocateCommandBuffers(context.handle(), bufferInfo, pointer),
          "allocate a command buffer");
      this.commands = new VkCommandBuffer(pointer.get(0), context.handle());
      VkQueryPoolCreateInfo queryInfo =
          VkQueryPoolCreateInfo.calloc(stack)
              .sType$Default()
              .queryType(VK_QUERY_TYPE_TIMESTAMP)
              .queryCount(2);
      context.check(
          vkCreateQueryPool(context.handle(), queryInfo, null, handle), "create a query pool");
      this.queries = handle[0];
    }
  }

  VkCommandBuffer commands() {
    return commands;
  }

  /** Room for push constants. */
  ByteBuffer pushConstants() {
    return pushConstants;
  }

  /** Starts anew, with a barrier against all that was submitted before. */
  void begin() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      context.check(vkResetCommandPool(context.handle(), pool, 0), "reset a command pool");
      VkCommandBufferBeginInfo info =
          VkCommandBufferBeginInfo.calloc(stack)
              .sType$Default()
              .flags(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
      context.check(vkBeginCommandBuffer(commands, info), "begin a command buffer");
    }
    bound = 0;
    barrier(
        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
        VK_ACCESS_MEMORY_WRITE_BIT,
        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
        ANY_MEMORY);
    if (hasTimestamps()) {
      vkCmdResetQueryPool(commands, queries, 0, 2);
      vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 0);
    }
  }

  /** Ends it, with a barrier that makes all writes visible to the host. */
  void end() {
    barrier(
        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
        VK_ACCESS_MEMORY_WRITE_BIT,
        VK_PIPELINE_STAGE_HOST_BIT,
        VK_ACCESS_HOST_READ_BIT);
    if (hasTimestamps()) {
      vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries, 1);
    }
    context.check(vkEndCommandBuffer(commands), "end a command buffer");
  }

  /** Makes what copies and dispatches wrote visible to later ones. */
  void barrier() {
    barrier(WORK, VK_ACCESS_MEMORY_WRITE_BIT, WORK, ANY_MEMORY);
  }

  private void barrier(int fromStages, int fromAccess, int toStages, int toAccess) {
    memoryBarrier.srcAccessMask(fromAccess).dstAccessMask(toAccess);
    vkCmdPipelineBarrier(commands, fromStages, toStages, 0, memoryBarrier, null, null);
  }

  void copy(
      VulkanBuffer source, long sourceOffset, VulkanBuffer target, long targetOffset, long bytes) {
    region.srcOffset(sourceOffset).dstOffset(targetOffset).size(bytes);
    vkCmdCopyBuffer(commands, source.handles().buffer(), target.handles().buffer(), region);
  }

  /** Fills a whole buffer with zeros, what lies behind its last byte included. */
  void zero(VulkanBuffer buffer) {
    vkCmdFillBuffer(commands, buffer.handles().buffer(), 0, VK_WHOLE_SIZE, 0);
  }

  void dispatch(Pipeline pipeline, ByteBuffer constants, int groupsX, int groupsY, int groupsZ) {
    if (bound != pipeline.handle()) {
      vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle());
      bound = pipeline.handle();
    }
    if (constants.hasRemaining()) {
      vkCmdPushConstants(commands, pipelineLayout, VK_SHADER_STAGE_COMPUTE_BIT, 0, constants);
    }
    vkCmdDispatch(commands, groupsX, groupsY, groupsZ);
  }

  private boolean hasTimestamps() {
    return context.limits().timestampNanos() > 0;
  }

  /** Nanoseconds from its first command to its last, or -1 where the queue has no timestamps. */
  long deviceNanos() {
    if (!hasTimestamps()) {
      return -1;
    }
    long[] ticks = new long[2];
    context.check(
        vkGetQueryPoolResults(
            context.handle(), queries, 0, 2, ticks, Long.BYTES, VK_QUERY_RESULT_64_BIT),
        "read timestamps");
    return Math.round((ticks[1] - ticks[0]) * context.limits().timestampNanos());
  }

  /** Frees it; inside {@link VulkanContext#destroy}. */
  void destroy() {
    vkDestroyQueryPool(context.handle(), queries, null);
    vkDestroyCommandPool(context.handle(), pool, null);
    region.free();
    memoryBarrier.free();
    MemoryUtil.memFree(pushConstants);
  }
}
