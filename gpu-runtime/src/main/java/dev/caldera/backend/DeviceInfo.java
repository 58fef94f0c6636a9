package dev.caldera.backend;

import java.util.List;
import java.util.Map;

/**
 * What a device is.
 *
 * @param backend "vulkan" or "cpu"
 * @param id its stable identity: a UUID on Vulkan, "cpu" on the CPU
 * @param pciAddress "0000:17:00.0", or empty where there is none
 * @param name as the driver tells it
 * @param driver name and version of the driver, or of the JVM and vector width on the CPU
 * @param software whether it is a Vulkan device that runs on the CPU
 * @param memoryBytes size of its largest device-local heap
 * @param properties limits and features worth reporting, in order
 * @param refusals why it cannot serve; empty when it can
 */
public record DeviceInfo(
    String backend,
    String id,
    String pciAddress,
    String name,
    String driver,
    boolean software,
    long memoryBytes,
    Map<String, String> properties,
    List<String> refusals) {

  public DeviceInfo {
    properties = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(properties));
    refusals = List.copyOf(refusals);
  }
}
