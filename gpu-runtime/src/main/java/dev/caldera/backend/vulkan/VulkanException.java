package dev.caldera.backend.vulkan;

import static org.lwjgl.vulkan.VK10.VK_ERROR_DEVICE_LOST;
import static org.lwjgl.vulkan.VK10.VK_ERROR_EXTENSION_NOT_PRESENT;
import static org.lwjgl.vulkan.VK10.VK_ERROR_FEATURE_NOT_PRESENT;
import static org.lwjgl.vulkan.VK10.VK_ERROR_INCOMPATIBLE_DRIVER;
import static org.lwjgl.vulkan.VK10.VK_ERROR_INITIALIZATION_FAILED;
import static org.lwjgl.vulkan.VK10.VK_ERROR_LAYER_NOT_PRESENT;
import static org.lwjgl.vulkan.VK10.VK_ERROR_MEMORY_MAP_FAILED;
import static org.lwjgl.vulkan.VK10.VK_ERROR_OUT_OF_DEVICE_MEMORY;
import static org.lwjgl.vulkan.VK10.VK_ERROR_OUT_OF_HOST_MEMORY;
import static org.lwjgl.vulkan.VK10.VK_ERROR_TOO_MANY_OBJECTS;
import static org.lwjgl.vulkan.VK10.VK_SUCCESS;

import dev.caldera.memory.OutOfDeviceMemoryException;
import java.util.Map;

/** A Vulkan call failed in a way that no user input explains. */
final class VulkanException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final Map<Integer, String> NAMES =
      Map.of(
          VK_ERROR_OUT_OF_HOST_MEMORY, "VK_ERROR_OUT_OF_HOST_MEMORY",
          VK_ERROR_OUT_OF_DEVICE_MEMORY, "VK_ERROR_OUT_OF_DEVICE_MEMORY",
          VK_ERROR_INITIALIZATION_FAILED, "VK_ERROR_INITIALIZATION_FAILED",
          VK_ERROR_DEVICE_LOST, "VK_ERROR_DEVICE_LOST",
          VK_ERROR_MEMORY_MAP_FAILED, "VK_ERROR_MEMORY_MAP_FAILED",
          VK_ERROR_LAYER_NOT_PRESENT, "VK_ERROR_LAYER_NOT_PRESENT",
          VK_ERROR_EXTENSION_NOT_PRESENT, "VK_ERROR_EXTENSION_NOT_PRESENT",
          VK_ERROR_FEATURE_NOT_PRESENT, "VK_ERROR_FEATURE_NOT_PRESENT",
          VK_ERROR_INCOMPATIBLE_DRIVER, "VK_ERROR_INCOMPATIBLE_DRIVER",
          VK_ERROR_TOO_MANY_OBJECTS, "VK_ERROR_TOO_MANY_OBJECTS");

  private final int result;

  VulkanException(String action, int result) {
    super("Cannot " + action + ": Vulkan answered " + name(result));
    this.result = result;
  }

  VulkanException(String message) {
    super(message);
    this.result = VK_ERROR_DEVICE_LOST;
  }

  /** The VkResult. */
  int result() {
    return result;
  }

  /**
   * Passes VK_SUCCESS only.
   *
   * @param action what was tried, as in "Cannot <action>"
   * @throws OutOfDeviceMemoryException if the device has no room
   * @throws VulkanException for any other result
   */
  static void check(int result, String action) {
    if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY) {
      throw new OutOfDeviceMemoryException("Cannot " + action + ": the device is out of memory");
    }
    if (result != VK_SUCCESS) {
      throw new VulkanException(action, result);
    }
  }

  private static String name(int result) {
    return NAMES.getOrDefault(result, "VkResult") + " (" + result + ")";
  }
}
