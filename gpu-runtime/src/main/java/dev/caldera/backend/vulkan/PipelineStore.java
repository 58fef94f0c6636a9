package dev.caldera.backend.vulkan;

import static org.lwjgl.vulkan.VK10.VK_NULL_HANDLE;
import static org.lwjgl.vulkan.VK10.VK_SHADER_STAGE_COMPUTE_BIT;
import static org.lwjgl.vulkan.VK10.vkCreateComputePipelines;
import static org.lwjgl.vulkan.VK10.vkCreatePipelineCache;
import static org.lwjgl.vulkan.VK10.vkCreatePipelineLayout;
import static org.lwjgl.vulkan.VK10.vkCreateShaderModule;
import static org.lwjgl.vulkan.VK10.vkDestroyPipeline;
import static org.lwjgl.vulkan.VK10.vkDestroyPipelineCache;
import static org.lwjgl.vulkan.VK10.vkDestroyPipelineLayout;
import static org.lwjgl.vulkan.VK10.vkDestroyShaderModule;
import static org.lwjgl.vulkan.VK10.vkGetPipelineCacheData;

import dev.caldera.shaders.Shader;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VkComputePipelineCreateInfo;
import org.lwjgl.vulkan.VkPipelineCacheCreateInfo;
import org.lwjgl.vulkan.VkPipelineLayoutCreateInfo;
import org.lwjgl.vulkan.VkPipelineShaderStageCreateInfo;
import org.lwjgl.vulkan.VkPushConstantRange;
import org.lwjgl.vulkan.VkShaderModuleCreateInfo;
import org.lwjgl.vulkan.VkSpecializationInfo;
import org.lwjgl.vulkan.VkSpecializationMapEntry;

/**
 * The pipelines of a device, one a shader and set of specialization constants, all with the same
 * layout: push constants and no descriptor sets.
 */
final class PipelineStore implements Pipelines {
  private final VulkanContext context;
  private final Optional<PipelineCacheFile> file;
  private final long layout;
  private final long cache;
  private final Map<Key, Pipeline> pipelines = new HashMap<>();
  private boolean changed;

  private record Key(Shader shader, List<Integer> constants) {}

  PipelineStore(VulkanContext context, Optional<PipelineCacheFile> file) {
    this.context = context;
    this.file = file;
    try (MemoryStack stack = MemoryStack.stackPush()) {
      long[] handle = new long[1];
      VkPushConstantRange.Buffer range =
          VkPushConstantRange.calloc(1, stack)
              .stageFlags(VK_SHADER_STAGE_COMPUTE_BIT)
              .size(context.limits().pushConstantBytes());
      VkPipelineLayoutCreateInfo layoutInfo =
          VkPipelineLayoutCreateInfo.calloc(stack).sType$Default().pPushConstantRanges(range);
      context.check(
          vkCreatePipelineLayout(context.handle(), layoutInfo, null, handle),
          "create a pipeline layout");
      this.layout = handle[0];
      this.cache = createCache(file.flatMap(PipelineCacheFile::read), stack);
    }
  }

  private long createCache(Optional<byte[]> kept, MemoryStack stack) {
    long[] handle = new long[1];
    ByteBuffer data = kept.map(PipelineStore::nativeCopy).orElse(null);
    try {
      VkPipelineCacheCreateInfo info =
          VkPipelineCacheCreateInfo.calloc(stack).sType$Default().pInitialData(data);
      context.check(
          vkCreatePipelineCache(context.handle(), info, null, handle), "create a pipeline cache");
      return handle[0];
    } finally {
      MemoryUtil.memFree(data);
    }
  }

  /** The VkPipelineLayout of all pipelines. */
  long layout() {
    return layout;
  }

  @Override
  public Pipeline pipeline(Shader shader, int... constants) {
    try (VulkanContext.Use use = context.enter()) {
      return knownOrMade(shader, constants);
    }
  }

  private synchronized Pipeline knownOrMade(Shader shader, int[] constants) {
    Key key = new Key(shader, Arrays.stream(constants).boxed().toList());
    Pipeline known = pipelines.get(key);
    if (known != null) {
      return known;
    }
    checkLimits(shader, constants);
    Pipeline made = new Pipeline(create(shader, constants), shader.name(), shader.pushBytes());
    pipelines.put(key, made);
    changed = true;
    return made;
  }

  /** A driver may lose the device over a shader that needs too much instead of refusing it. */
  private void checkLimits(Shader shader, int[] constants) {
    if (constants.length > shader.constants().size()) {
      throw new IllegalArgumentException(
          "Cannot make a pipeline of shader "
              + shader.name()
              + ": "
              + constants.length
              + " constants are given, it has "
              + shader.constants());
    }
    DeviceLimits limits = context.limits();
    int invocations = shader.localSize() > 0 ? shader.localSize() : constants[0];
    check(shader, "bytes of push constants", shader.pushBytes(), limits.pushConstantBytes());
    check(shader, "bytes of shared memory", shader.sharedBytes(), limits.sharedMemoryBytes());
    check(shader, "invocations a workgroup", invocations, limits.workgroupInvocations());
    check(shader, "invocations in x", invocations, limits.workgroupSizeX());
  }

  private void check(Shader shader, String what, long needed, long limit) {
    if (needed > limit) {
      throw new IllegalArgumentException(
          "Cannot make a pipeline of shader "
              + shader.name()
              + ": it needs "
              + needed
              + " "
              + what
              + ", and "
              + context.name()
              + " has "
              + limit);
    }
  }

  private long create(Shader shader, int[] constants) {
    ByteBuffer code = nativeCopy(shader.spirv());
    String action = "make a pipeline of shader " + shader.name();
    long[] module = {VK_NULL_HANDLE};
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkShaderModuleCreateInfo moduleInfo =
          VkShaderModuleCreateInfo.calloc(stack).sType$Default().pCode(code);
      context.check(vkCreateShaderModule(context.handle(), moduleInfo, null, module), action);
      VkPipelineShaderStageCreateInfo stage =
          VkPipelineShaderStageCreateInfo.calloc(stack)
              .sType$Default()
              .stage(VK_SHADER_STAGE_COMPUTE_BIT)
              .module(module[0])
              .pName(stack.UTF8("main"))
              .pSpecializationInfo(specialization(constants, stack));
      VkComputePipelineCreateInfo.Buffer info =
          VkComputePipelineCreateInfo.calloc(1, stack).sType$Default().stage(stage).layout(layout);
      long[] pipeline = new long[1];
      context.check(
          vkCreateComputePipelines(context.handle(), cache, info, null, pipeline), action);
      return pipeline[0];
    } finally {
      vkDestroyShaderModule(context.handle(), module[0], null);
      MemoryUtil.memFree(code);
    }
  }

  private static VkSpecializationInfo specialization(int[] constants, MemoryStack stack) {
    VkSpecializationMapEntry.Buffer entries =
        VkSpecializationMapEntry.calloc(constants.length, stack);
    IntStream.range(0, constants.length)
        .forEach(i -> entries.get(i).constantID(i).offset(i * Integer.BYTES).size(Integer.BYTES));
    ByteBuffer values = stack.malloc(Math.max(1, constants.length) * Integer.BYTES);
    values.asIntBuffer().put(constants);
    values.limit(constants.length * Integer.BYTES);
    return VkSpecializationInfo.calloc(stack).pMapEntries(entries).pData(values);
  }

  @Override
  public int subgroupSize() {
    return context.limits().subgroupSize();
  }

  @Override
  public int workgroupLimit() {
    return context.limits().workgroupInvocations();
  }

  @Override
  public int sharedMemoryLimit() {
    return context.limits().sharedMemoryBytes();
  }

  /** Pipelines made since the device was opened. */
  synchronized int made() {
    return pipelines.size();
  }

  /** Writes the cache to its file if pipelines were made since the last time. */
  void keep() {
    if (file.isPresent()) {
      try (VulkanContext.Use use = context.enter()) {
        keep(file.get());
      }
    }
  }

  private synchronized void keep(PipelineCacheFile target) {
    if (!changed) {
      return;
    }
    try (MemoryStack stack = MemoryStack.stackPush()) {
      PointerBuffer size = stack.mallocPointer(1);
      context.check(
          vkGetPipelineCacheData(context.handle(), cache, size, null), "size the pipeline cache");
      ByteBuffer data = MemoryUtil.memAlloc(Math.toIntExact(size.get(0)));
      try {
        context.check(
            vkGetPipelineCacheData(context.handle(), cache, size, data), "read the pipeline cache");
        byte[] payload = new byte[Math.toIntExact(size.get(0))];
        data.get(0, payload);
        target.write(payload);
      } finally {
        MemoryUtil.memFree(data);
      }
    }
    changed = false;
  }

  /** Frees all of them; inside {@link VulkanContext#destroy}. */
  synchronized void destroy() {
    pipelines.values().forEach(p -> vkDestroyPipeline(context.handle(), p.handle(), null));
    pipelines.clear();
    vkDestroyPipelineCache(context.handle(), cache, null);
    vkDestroyPipelineLayout(context.handle(), layout, null);
  }

  private static ByteBuffer nativeCopy(byte[] bytes) {
    ByteBuffer copy = MemoryUtil.memAlloc(bytes.length);
    copy.put(0, bytes);
    return copy;
  }
}
