package dev.caldera.backend.vulkan;

import static org.lwjgl.vulkan.VK10.VK_SHADER_STAGE_COMPUTE_BIT;
import static org.lwjgl.vulkan.VK11.VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
import static org.lwjgl.vulkan.VK11.VK_SUBGROUP_FEATURE_BALLOT_BIT;
import static org.lwjgl.vulkan.VK11.VK_SUBGROUP_FEATURE_BASIC_BIT;
import static org.lwjgl.vulkan.VK11.VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
import static org.lwjgl.vulkan.VK11.vkGetPhysicalDeviceFeatures2;
import static org.lwjgl.vulkan.VK13.VK_API_VERSION_1_3;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkDeviceCreateInfo;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceFeatures2;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan11Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan11Properties;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Features;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan13Features;

/**
 * The device features that Caldera uses.
 *
 * @param required every feature without which a device is refused, and whether it is there
 * @param optional features that some kernels use where they are there
 */
record DeviceFeatures(Map<String, Boolean> required, Map<String, Boolean> optional) {
  private static final String MAINTENANCE = "maintenance4";
  private static final String SUBGROUP_SIZE = "subgroupSizeControl";
  private static final String FULL_SUBGROUPS = "computeFullSubgroups";
  private static final String INT16 = "shaderInt16";

  DeviceFeatures {
    required = Collections.unmodifiableMap(new LinkedHashMap<>(required));
    optional = Collections.unmodifiableMap(new LinkedHashMap<>(optional));
  }

  /** Of a device too old to be asked. */
  static DeviceFeatures none() {
    return new DeviceFeatures(Map.of(), Map.of());
  }

  /** Asks {@code device}, whose properties and extensions are given. */
  static DeviceFeatures read(
      VkPhysicalDevice device,
      int apiVersion,
      VkPhysicalDeviceVulkan11Properties properties,
      Set<String> extensions,
      MemoryStack stack) {
    VkPhysicalDeviceVulkan11Features core11 =
        VkPhysicalDeviceVulkan11Features.calloc(stack).sType$Default();
    VkPhysicalDeviceVulkan12Features core12 =
        VkPhysicalDeviceVulkan12Features.calloc(stack).sType$Default();
    VkPhysicalDeviceVulkan13Features core13 =
        VkPhysicalDeviceVulkan13Features.calloc(stack).sType$Default();
    VkPhysicalDeviceFeatures2 all =
        VkPhysicalDeviceFeatures2.calloc(stack).sType$Default().pNext(core11).pNext(core12);
    if (apiVersion >= VK_API_VERSION_1_3) {
      all.pNext(core13);
    }
    vkGetPhysicalDeviceFeatures2(device, all);

    Map<String, Boolean> required = new LinkedHashMap<>();
    required.put("bufferDeviceAddress", core12.bufferDeviceAddress());
    required.put("timelineSemaphore", core12.timelineSemaphore());
    required.put("scalarBlockLayout", core12.scalarBlockLayout());
    required.put("storageBuffer8BitAccess", core12.storageBuffer8BitAccess());
    required.put("storageBuffer16BitAccess", core11.storageBuffer16BitAccess());
    required.put("shaderFloat16", core12.shaderFloat16());
    required.put("shaderInt8", core12.shaderInt8());
    required.put("shaderInt64", all.features().shaderInt64());
    required.put("subgroup basic", subgroup(properties, VK_SUBGROUP_FEATURE_BASIC_BIT));
    required.put("subgroup arithmetic", subgroup(properties, VK_SUBGROUP_FEATURE_ARITHMETIC_BIT));
    required.put("subgroup ballot", subgroup(properties, VK_SUBGROUP_FEATURE_BALLOT_BIT));

    Map<String, Boolean> optional = new LinkedHashMap<>();
    optional.put(INT16, all.features().shaderInt16());
    optional.put("subgroup shuffle", subgroup(properties, VK_SUBGROUP_FEATURE_SHUFFLE_BIT));
    optional.put(MAINTENANCE, core13.maintenance4());
    optional.put(SUBGROUP_SIZE, core13.subgroupSizeControl());
    optional.put(FULL_SUBGROUPS, core13.computeFullSubgroups());
    optional.put("cooperative matrix", extensions.contains("VK_KHR_cooperative_matrix"));
    return new DeviceFeatures(required, optional);
  }

  private static boolean subgroup(VkPhysicalDeviceVulkan11Properties properties, int operation) {
    return (properties.subgroupSupportedOperations() & operation) != 0
        && (properties.subgroupSupportedStages() & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
  }

  /** A refusal for each required feature that is missing. */
  List<String> missing() {
    return required.entrySet().stream()
        .filter(entry -> !entry.getValue())
        .map(entry -> entry.getKey() + " is missing")
        .toList();
  }

  /** Whether the device has an optional feature. */
  private boolean has(String feature) {
    return Boolean.TRUE.equals(optional.get(feature));
  }

  /**
   * Turns on, for a device about to be created, all that is required and what is there of the rest.
   */
  void enable(VkDeviceCreateInfo info, MemoryStack stack) {
    VkPhysicalDeviceFeatures2 all = VkPhysicalDeviceFeatures2.calloc(stack).sType$Default();
    all.features().shaderInt64(true).shaderInt16(has(INT16));
    info.pNext(all);
    info.pNext(
        VkPhysicalDeviceVulkan11Features.calloc(stack)
            .sType$Default()
            .storageBuffer16BitAccess(true));
    info.pNext(
        VkPhysicalDeviceVulkan12Features.calloc(stack)
            .sType$Default()
            .bufferDeviceAddress(true)
            .timelineSemaphore(true)
            .scalarBlockLayout(true)
            .storageBuffer8BitAccess(true)
            .shaderFloat16(true)
            .shaderInt8(true));
    if (has(MAINTENANCE) || has(SUBGROUP_SIZE)) {
      info.pNext(
          VkPhysicalDeviceVulkan13Features.calloc(stack)
              .sType$Default()
              .maintenance4(has(MAINTENANCE))
              .subgroupSizeControl(has(SUBGROUP_SIZE))
              .computeFullSubgroups(has(FULL_SUBGROUPS)));
    }
  }
}
