package dev.caldera.backend;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How to open a device.
 *
 * @param threads worker threads of the CPU backend; 0 for all cores
 * @param cache folder for what is kept between runs (pipeline cache); empty keeps nothing
 * @param validation whether to turn on the Vulkan validation layer where it is installed
 */
public record DeviceOptions(int threads, Optional<Path> cache, boolean validation) {

  /** All cores, no cache, no validation. */
  public static DeviceOptions defaults() {
    return new DeviceOptions(0, Optional.empty(), false);
  }
}
