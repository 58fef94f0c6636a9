package dev.caldera.backend.vulkan;

import static org.lwjgl.vulkan.VK10.VK_PHYSICAL_DEVICE_TYPE_CPU;
import static org.lwjgl.vulkan.VK10.VK_QUEUE_COMPUTE_BIT;
import static org.lwjgl.vulkan.VK10.VK_QUEUE_GRAPHICS_BIT;
import static org.lwjgl.vulkan.VK10.vkEnumerateDeviceExtensionProperties;
import static org.lwjgl.vulkan.VK10.vkGetPhysicalDeviceMemoryProperties;
import static org.lwjgl.vulkan.VK10.vkGetPhysicalDeviceProperties;
import static org.lwjgl.vulkan.VK10.vkGetPhysicalDeviceQueueFamilyProperties;
import static org.lwjgl.vulkan.VK11.vkGetPhysicalDeviceProperties2;
import static org.lwjgl.vulkan.VK12.VK_API_VERSION_1_2;
import static org.lwjgl.vulkan.VK13.VK_API_VERSION_1_3;

import dev.caldera.backend.DeviceInfo;
import dev.caldera.memory.BufferUse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK10;
import org.lwjgl.vulkan.VkExtensionProperties;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkPhysicalDeviceLimits;
import org.lwjgl.vulkan.VkPhysicalDeviceMaintenance3Properties;
import org.lwjgl.vulkan.VkPhysicalDeviceMaintenance4Properties;
import org.lwjgl.vulkan.VkPhysicalDeviceMemoryProperties;
import org.lwjgl.vulkan.VkPhysicalDevicePCIBusInfoPropertiesEXT;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties;
import org.lwjgl.vulkan.VkPhysicalDeviceProperties2;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan11Properties;
import org.lwjgl.vulkan.VkPhysicalDeviceVulkan12Properties;
import org.lwjgl.vulkan.VkQueueFamilyProperties;

/**
 * What a physical device says of itself.
 *
 * @param handle valid while its instance is open
 * @param info for users
 * @param limits for kernels and memory; all zero before Vulkan 1.2
 * @param features what it has of what Caldera uses
 * @param memoryTypes where buffers can lie
 * @param queueFamily a queue family that computes, apart from graphics where there is such
 * @param driverUuid identity of the driver's build, for the pipeline cache
 */
record PhysicalDevice(
    VkPhysicalDevice handle,
    DeviceInfo info,
    DeviceLimits limits,
    DeviceFeatures features,
    MemoryTypes memoryTypes,
    int queueFamily,
    UUID driverUuid) {
  private static final String PCI_EXTENSION = "VK_EXT_pci_bus_info";
  private static final DeviceLimits NO_LIMITS = new DeviceLimits(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  private static final UUID NO_UUID = new UUID(0, 0);

  /** Reads everything of {@code device}. */
  static PhysicalDevice read(VkPhysicalDevice device) {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkPhysicalDeviceProperties properties = VkPhysicalDeviceProperties.calloc(stack);
      vkGetPhysicalDeviceProperties(device, properties);
      return properties.apiVersion() < VK_API_VERSION_1_2
          ? tooOld(device, properties)
          : read(device, properties.apiVersion(), stack);
    }
  }

  private static PhysicalDevice tooOld(
      VkPhysicalDevice device, VkPhysicalDeviceProperties properties) {
    String name = properties.deviceNameString();
    DeviceInfo info =
        new DeviceInfo(
            "vulkan",
            name,
            "",
            name,
            "driver " + Integer.toUnsignedString(properties.driverVersion()),
            properties.deviceType() == VK_PHYSICAL_DEVICE_TYPE_CPU,
            0,
            Map.of("Vulkan", version(properties.apiVersion())),
            List.of("Vulkan 1.2 is missing: the driver has " + version(properties.apiVersion())));
    return new PhysicalDevice(
        device, info, NO_LIMITS, DeviceFeatures.none(), new MemoryTypes(List.of()), -1, NO_UUID);
  }

  private static PhysicalDevice read(VkPhysicalDevice device, int apiVersion, MemoryStack stack) {
    Set<String> extensions = extensions(device);
    VkPhysicalDeviceVulkan11Properties core11 =
        VkPhysicalDeviceVulkan11Properties.calloc(stack).sType$Default();
    VkPhysicalDeviceVulkan12Properties core12 =
        VkPhysicalDeviceVulkan12Properties.calloc(stack).sType$Default();
    VkPhysicalDeviceMaintenance3Properties maintenance3 =
        VkPhysicalDeviceMaintenance3Properties.calloc(stack).sType$Default();
    VkPhysicalDeviceMaintenance4Properties maintenance4 =
        VkPhysicalDeviceMaintenance4Properties.calloc(stack).sType$Default();
    VkPhysicalDevicePCIBusInfoPropertiesEXT pci =
        VkPhysicalDevicePCIBusInfoPropertiesEXT.calloc(stack).sType$Default();
    VkPhysicalDeviceProperties2 all =
        VkPhysicalDeviceProperties2.calloc(stack)
            .sType$Default()
            .pNext(core11)
            .pNext(core12)
            .pNext(maintenance3);
    boolean hasBufferLimit = apiVersion >= VK_API_VERSION_1_3;
    if (hasBufferLimit) {
      all.pNext(maintenance4);
    }
    boolean hasPci = extensions.contains(PCI_EXTENSION);
    if (hasPci) {
      all.pNext(pci);
    }
    vkGetPhysicalDeviceProperties2(device, all);

    MemoryTypes memoryTypes = memoryTypes(device, stack);
    VkQueueFamilyProperties.Buffer queues = queues(device, stack);
    int family = queueFamily(queues);
    DeviceFeatures features = DeviceFeatures.read(device, apiVersion, core11, extensions, stack);
    List<String> refusals = new ArrayList<>(features.missing());
    if (family < 0) {
      refusals.add("a compute queue is missing");
    }
    VkPhysicalDeviceLimits most = all.properties().limits();
    boolean timestamps = family >= 0 && queues.get(family).timestampValidBits() == 64;
    long heap =
        memoryTypes.types().isEmpty()
            ? 0
            : memoryTypes.types().get(memoryTypes.choose(BufferUse.DEVICE, -1)).heapBytes();
    long allocation =
        unsignedMinimum(
            maintenance3.maxMemoryAllocationSize(),
            hasBufferLimit ? maintenance4.maxBufferSize() : Long.MAX_VALUE);
    DeviceLimits limits =
        new DeviceLimits(
            allocation,
            heap,
            most.maxComputeSharedMemorySize(),
            most.maxComputeWorkGroupInvocations(),
            most.maxComputeWorkGroupSize(0),
            Integer.toUnsignedLong(most.maxComputeWorkGroupCount(0)),
            Integer.toUnsignedLong(most.maxComputeWorkGroupCount(1)),
            Integer.toUnsignedLong(most.maxComputeWorkGroupCount(2)),
            most.maxPushConstantsSize(),
            core11.subgroupSize(),
            timestamps ? most.timestampPeriod() : 0);
    DeviceInfo info =
        new DeviceInfo(
            "vulkan",
            uuid(core11.deviceUUID()).toString(),
            hasPci ? pciAddress(pci) : "",
            all.properties().deviceNameString(),
            core12.driverNameString() + " " + core12.driverInfoString(),
            all.properties().deviceType() == VK_PHYSICAL_DEVICE_TYPE_CPU,
            heap,
            describe(apiVersion, limits, features),
            refusals);
    return new PhysicalDevice(
        device, info, limits, features, memoryTypes, family, uuid(core11.driverUUID()));
  }

  private static Map<String, String> describe(
      int apiVersion, DeviceLimits limits, DeviceFeatures features) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("Vulkan", version(apiVersion));
    lines.put("largest allocation", limits.allocationBytes() + " bytes");
    lines.put("subgroup size", Integer.toString(limits.subgroupSize()));
    lines.put("shared memory of a workgroup", limits.sharedMemoryBytes() + " bytes");
    lines.put("invocations of a workgroup", Integer.toString(limits.workgroupInvocations()));
    lines.put(
        "workgroups of a dispatch",
        limits.groupsX() + " x " + limits.groupsY() + " x " + limits.groupsZ());
    lines.put("push constants", limits.pushConstantBytes() + " bytes");
    lines.put(
        "timestamps",
        limits.timestampNanos() > 0 ? limits.timestampNanos() + " ns a tick" : "none");
    features.optional().forEach((name, present) -> lines.put(name, present ? "yes" : "no"));
    return lines;
  }

  private static Set<String> extensions(VkPhysicalDevice device) {
    int[] count = new int[1];
    VulkanException.check(
        vkEnumerateDeviceExtensionProperties(device, (ByteBuffer) null, count, null),
        "count the extensions of a Vulkan device");
    Set<String> names = new HashSet<>();
    try (VkExtensionProperties.Buffer properties = VkExtensionProperties.malloc(count[0])) {
      VulkanException.check(
          vkEnumerateDeviceExtensionProperties(device, (ByteBuffer) null, count, properties),
          "list the extensions of a Vulkan device");
      properties.forEach(extension -> names.add(extension.extensionNameString()));
    }
    return names;
  }

  private static MemoryTypes memoryTypes(VkPhysicalDevice device, MemoryStack stack) {
    VkPhysicalDeviceMemoryProperties memory = VkPhysicalDeviceMemoryProperties.calloc(stack);
    vkGetPhysicalDeviceMemoryProperties(device, memory);
    List<MemoryTypes.Type> types = new ArrayList<>();
    for (int i = 0; i < memory.memoryTypeCount(); i++) {
      types.add(
          new MemoryTypes.Type(
              memory.memoryTypes(i).propertyFlags(),
              memory.memoryHeaps(memory.memoryTypes(i).heapIndex()).size()));
    }
    return new MemoryTypes(types);
  }

  private static VkQueueFamilyProperties.Buffer queues(VkPhysicalDevice device, MemoryStack stack) {
    int[] count = new int[1];
    vkGetPhysicalDeviceQueueFamilyProperties(device, count, null);
    VkQueueFamilyProperties.Buffer queues = VkQueueFamilyProperties.calloc(count[0], stack);
    vkGetPhysicalDeviceQueueFamilyProperties(device, count, queues);
    return queues;
  }

  private static int queueFamily(VkQueueFamilyProperties.Buffer queues) {
    int any = -1;
    for (int i = 0; i < queues.capacity(); i++) {
      int flags = queues.get(i).queueFlags();
      if ((flags & VK_QUEUE_COMPUTE_BIT) == 0) {
        continue;
      }
      if ((flags & VK_QUEUE_GRAPHICS_BIT) == 0) {
        return i;
      }
      any = any < 0 ? i : any;
    }
    return any;
  }

  private static UUID uuid(ByteBuffer bytes) {
    return new UUID(
        Long.reverseBytes(bytes.order(java.nio.ByteOrder.LITTLE_ENDIAN).getLong(0)),
        Long.reverseBytes(bytes.getLong(8)));
  }

  private static String pciAddress(VkPhysicalDevicePCIBusInfoPropertiesEXT pci) {
    return String.format(
        "%04x:%02x:%02x.%x", pci.pciDomain(), pci.pciBus(), pci.pciDevice(), pci.pciFunction());
  }

  private static String version(int version) {
    return VK10.VK_API_VERSION_MAJOR(version)
        + "."
        + VK10.VK_API_VERSION_MINOR(version)
        + "."
        + VK10.VK_API_VERSION_PATCH(version);
  }

  private static long unsignedMinimum(long left, long right) {
    long smaller = Long.compareUnsigned(left, right) < 0 ? left : right;
    return smaller < 0 ? Long.MAX_VALUE : smaller;
  }
}
