package dev.caldera.backend.vulkan;

import static org.lwjgl.vulkan.EXTDebugUtils.VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
import static org.lwjgl.vulkan.EXTDebugUtils.VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
import static org.lwjgl.vulkan.EXTDebugUtils.VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
import static org.lwjgl.vulkan.EXTDebugUtils.VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
import static org.lwjgl.vulkan.EXTDebugUtils.vkCreateDebugUtilsMessengerEXT;
import static org.lwjgl.vulkan.EXTDebugUtils.vkDestroyDebugUtilsMessengerEXT;
import static org.lwjgl.vulkan.VK10.VK_FALSE;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCallbackDataEXT;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCallbackEXT;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCreateInfoEXT;
import org.lwjgl.vulkan.VkInstance;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects what the validation layer says of an instance, as long as the process lives: warnings
 * and errors, counted and logged.
 */
final class ValidationLog {
  private static final Logger LOG = LoggerFactory.getLogger(ValidationLog.class);
  private static final int KEPT_MESSAGES = 100;

  private final VkInstance instance;
  private final VkDebugUtilsMessengerCallbackEXT callback;
  private final long messenger;
  private final AtomicLong count = new AtomicLong();
  private final ConcurrentLinkedQueue<String> messages = new ConcurrentLinkedQueue<>();

  ValidationLog(VkInstance instance) {
    this.instance = instance;
    this.callback =
        VkDebugUtilsMessengerCallbackEXT.create(
            (severity, types, data, user) -> {
              note(
                  String.valueOf(
                      VkDebugUtilsMessengerCallbackDataEXT.create(data).pMessageString()));
              return VK_FALSE;
            });
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkDebugUtilsMessengerCreateInfoEXT info =
          VkDebugUtilsMessengerCreateInfoEXT.calloc(stack)
              .sType$Default()
              .messageSeverity(
                  VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT
                      | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT)
              .messageType(
                  VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT
                      | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT)
              .pfnUserCallback(callback);
      long[] handle = new long[1];
      VulkanException.check(
          vkCreateDebugUtilsMessengerEXT(instance, info, null, handle),
          "listen to the validation layer");
      this.messenger = handle[0];
    }
  }

  private void note(String message) {
    LOG.warn("Vulkan validation: {}", message);
    if (count.incrementAndGet() <= KEPT_MESSAGES) {
      messages.add(message);
    }
  }

  /** The first {@value #KEPT_MESSAGES} messages so far. */
  List<String> messages() {
    return List.copyOf(messages);
  }

  /** The number of messages so far. */
  long count() {
    return count.get();
  }

  /** Stops listening, before the instance is destroyed. */
  void stop() {
    vkDestroyDebugUtilsMessengerEXT(instance, messenger, null);
    callback.free();
  }
}
