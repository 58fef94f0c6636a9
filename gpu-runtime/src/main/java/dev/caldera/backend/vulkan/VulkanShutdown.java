package dev.caldera.backend.vulkan;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of the process: closes the devices that their owners did not, then destroys the
 * instances. A driver may crash the process when it ends with a device or an instance that still
 * exists.
 */
final class VulkanShutdown {
  private static final Logger LOG = LoggerFactory.getLogger(VulkanShutdown.class);
  private static final Set<VulkanDevice> OPEN = ConcurrentHashMap.newKeySet();
  private static boolean arranged;

  private VulkanShutdown() {}

  /** Sees to it that all ends well; before the first instance is made. */
  static synchronized void arrange() {
    if (!arranged) {
      arranged = true;
      Runtime.getRuntime()
          .addShutdownHook(new Thread(VulkanShutdown::end, "caldera-vulkan-shutdown"));
    }
  }

  /** Notes a device that was opened. */
  static void opened(VulkanDevice device) {
    OPEN.add(device);
  }

  /** Notes a device that was closed. */
  static void closed(VulkanDevice device) {
    OPEN.remove(device);
  }

  private static void end() {
    for (VulkanDevice device : List.copyOf(OPEN)) {
      LOG.warn("{} was not closed; closing it as the JVM ends", device.info().name());
      device.close();
    }
    if (OPEN.isEmpty()) {
      VulkanInstance.destroyAll();
    }
  }
}
