package dev.caldera.backend.vulkan;

import static org.lwjgl.vulkan.VK10.vkCreateDevice;
import static org.lwjgl.vulkan.VK10.vkDestroyDevice;

import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceInfo;
import dev.caldera.backend.DeviceOptions;
import dev.caldera.memory.AllocationCounters;
import dev.caldera.memory.BufferUse;
import dev.caldera.memory.DeviceBuffer;
import dev.caldera.memory.WeightPool;
import dev.caldera.plan.ExecutionPlan;
import dev.caldera.plan.KernelCatalog;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkDeviceQueueCreateInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An opened Vulkan device. {@link VulkanShutdown} closes it as the process ends when its owner did
 * not.
 */
final class VulkanDevice implements Device {
  private static final Logger LOG = LoggerFactory.getLogger(VulkanDevice.class);
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int BATCHES_IN_FLIGHT = 2;
  private static final int SOFTWARE_BATCH_TOKENS = 1024;
  private static final int HARDWARE_BATCH_TOKENS = 16384;

  private final VulkanInstance instance;
  private final VulkanContext context;
  private final SubmissionQueue queue;
  private final VulkanMemory memory;
  private final PipelineStore pipelines;
  private final RecordingPool recordings;
  private final VulkanKernels kernels = new VulkanKernels();
  private boolean closed;

  private VulkanDevice(VulkanInstance instance, VulkanContext context, DeviceOptions options) {
    this.instance = instance;
    this.context = context;
    this.queue = new SubmissionQueue(context, PATIENCE);
    this.memory = new VulkanMemory(context, queue);
    PhysicalDevice physical = context.physical();
    this.pipelines =
        new PipelineStore(
            context,
            options
                .cache()
                .map(
                    folder ->
                        PipelineCacheFile.in(
                            folder, physical.driverUuid().toString(), physical.info().id())));
    this.recordings = new RecordingPool(context, queue, pipelines.layout());
  }

  /** Opens a device of {@code instance}. */
  static VulkanDevice open(
      VulkanInstance instance, PhysicalDevice physical, DeviceOptions options) {
    VulkanContext context = new VulkanContext(create(physical), physical);
    try {
      VulkanDevice device = new VulkanDevice(instance, context, options);
      VulkanShutdown.opened(device);
      return device;
    } catch (RuntimeException e) {
      context.destroy(() -> vkDestroyDevice(context.handle(), null));
      throw e;
    }
  }

  private static VkDevice create(PhysicalDevice physical) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkDeviceQueueCreateInfo.Buffer queues =
          VkDeviceQueueCreateInfo.calloc(1, stack)
              .sType$Default()
              .queueFamilyIndex(physical.queueFamily())
              .pQueuePriorities(stack.floats(1));
      VkDeviceCreateInfo info =
          VkDeviceCreateInfo.calloc(stack).sType$Default().pQueueCreateInfos(queues);
      physical.features().enable(info, stack);
      PointerBuffer handle = stack.mallocPointer(1);
      VulkanException.check(
          vkCreateDevice(physical.handle(), info, null, handle),
          "open device " + physical.info().name());
      return new VkDevice(handle.get(0), physical.handle(), info);
    }
  }

  @Override
  public DeviceInfo info() {
    return context.physical().info();
  }

  @Override
  public KernelCatalog kernels() {
    return kernels;
  }

  @Override
  public Driving driving() {
    return new Driving(
        BATCHES_IN_FLIGHT,
        false,
        info().software() ? SOFTWARE_BATCH_TOKENS : HARDWARE_BATCH_TOKENS);
  }

  @Override
  public DeviceBuffer allocate(long bytes, BufferUse use) {
    VulkanBuffer buffer = memory.allocate(bytes, use);
    if (use == BufferUse.DEVICE) {
      try (VulkanCommands commands = begin()) {
        commands.zero(buffer);
        commands.submit();
      } catch (RuntimeException e) {
        buffer.close();
        throw e;
      }
    }
    return buffer;
  }

  @Override
  public long allocationLimit() {
    return memory.allocationLimit();
  }

  @Override
  public AllocationCounters counters() {
    return memory.counters();
  }

  @Override
  public Program compile(ExecutionPlan plan, WeightPool.Lease weights) {
    VulkanProgram program = VulkanProgram.compile(context, kernels, pipelines, plan, weights);
    pipelines.keep();
    return program;
  }

  @Override
  public VulkanCommands begin() {
    return new VulkanCommands(context, queue, recordings, memory);
  }

  /** The device's pipelines. */
  PipelineStore pipelines() {
    return pipelines;
  }

  /** The device's recordings. */
  RecordingPool recordings() {
    return recordings;
  }

  /** What the validation layer said so far; empty where it does not watch. */
  List<String> validationMessages() {
    ValidationLog log = instance.validation();
    return log == null ? List.of() : log.messages();
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      if (!context.isLost()) {
        finish();
      }
    } finally {
      context.destroy(this::destroyAll);
    }
  }

  private void finish() {
    queue.awaitUninterruptibly(queue.submitted());
    try (VulkanContext.Use use = context.enter()) {
      recordings.finishAll();
    }
    pipelines.keep();
  }

  private void destroyAll() {
    if (context.hangs()) {
      LOG.error(
          "{} hangs: what it holds is left to the driver until the process ends", context.name());
      return;
    }
    Set<VulkanBuffer> open = memory.live();
    if (!open.isEmpty()) {
      LOG.warn("{} is closed with {} buffers open; freeing them", context.name(), open.size());
    }
    memory.destroy();
    recordings.destroy();
    pipelines.destroy();
    queue.destroy();
    vkDestroyDevice(context.handle(), null);
    VulkanShutdown.closed(this);
  }
}
