package dev.caldera.testing;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceOptions;
import dev.caldera.backend.Devices;
import java.util.Optional;

/**
 * The Vulkan device that tests run on: lavapipe, or what the system property {@code
 * caldera.test.device} names, for example {@code vulkan} for any hardware device.
 *
 * <p>Where it is absent, a test is skipped with the reason on standard error; with {@code
 * -Dcaldera.test.vulkan=required} it fails. The validation layer watches where it is installed.
 */
public final class VulkanTesting {
  private static final String MODE = System.getProperty("caldera.test.vulkan", "auto");
  private static final String DEVICE = System.getProperty("caldera.test.device", "vulkan:llvmpipe");

  private VulkanTesting() {}

  /** The test device; aborts or fails the calling test where it is absent. */
  public static Devices.Selection device() {
    try {
      return Devices.discover().select(DEVICE);
    } catch (IllegalArgumentException e) {
      String reason = "Vulkan test device " + DEVICE + " is absent: " + e.getMessage();
      if (MODE.equals("required")) {
        return fail(reason);
      }
      System.err.println("SKIPPED: " + reason);
      return abort(reason);
    }
  }

  /** Options for tests: no cache, validation on. */
  public static DeviceOptions options() {
    return new DeviceOptions(0, Optional.empty(), true);
  }

  /** Opens the test device; the caller closes it. Aborts or fails the test where it is absent. */
  public static Device open() {
    return device().open(options());
  }
}
