package dev.caldera.backend.vulkan;

import dev.caldera.backend.Backend;
import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceInfo;
import dev.caldera.backend.DeviceOptions;
import dev.caldera.backend.vulkan.VulkanInstance.Validation;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Computes on Vulkan devices. Created by the service loader. */
public final class VulkanBackend implements Backend {
  private static final Logger LOG = LoggerFactory.getLogger(VulkanBackend.class);

  private @Nullable Found found;

  /** A backend that has not looked for devices yet. */
  public VulkanBackend() {}

  @Override
  public String name() {
    return "vulkan";
  }

  @Override
  public List<DeviceInfo> devices() {
    return found().devices();
  }

  @Override
  public String absence() {
    return found().absence();
  }

  @Override
  public Device open(DeviceInfo info, DeviceOptions options) {
    VulkanInstance instance =
        VulkanInstance.shared(options.validation() ? Validation.ON : Validation.OFF);
    PhysicalDevice physical =
        instance.physicalDevices().stream()
            .map(PhysicalDevice::read)
            .filter(candidate -> candidate.info().id().equals(info.id()))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "Cannot open device "
                            + info.name()
                            + ": no Vulkan device has the UUID "
                            + info.id()));
    if (!physical.info().refusals().isEmpty()) {
      throw new IllegalArgumentException(
          "Cannot open device "
              + info.name()
              + ": "
              + String.join("; ", physical.info().refusals()));
    }
    LOG.info(
        "Opening {} (UUID {}, driver {}, {})",
        physical.info().name(),
        physical.info().id(),
        physical.info().driver(),
        physical.info().properties());
    return VulkanDevice.open(instance, physical, options);
  }

  private synchronized Found found() {
    if (found == null) {
      found = look();
    }
    return found;
  }

  private static Found look() {
    try {
      List<DeviceInfo> devices =
          VulkanInstance.shared(Validation.OFF).physicalDevices().stream()
              .map(PhysicalDevice::read)
              .map(PhysicalDevice::info)
              .toList();
      return new Found(devices, devices.isEmpty() ? VulkanLoader.noDriver() : "");
    } catch (VulkanAbsentException e) {
      return new Found(List.of(), String.valueOf(e.getMessage()));
    }
  }

  private record Found(List<DeviceInfo> devices, String absence) {}
}
