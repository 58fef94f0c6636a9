package dev.caldera.backend.vulkan;

import org.lwjgl.system.Configuration;
import org.lwjgl.system.Library;
import org.lwjgl.vulkan.VK;

/**
 * Loads the Vulkan loader (libvulkan.so.1) once for the process, and says what to install when it
 * cannot.
 *
 * <p>LWJGL loads Vulkan in the static initialiser of {@link VK} unless told otherwise first; a
 * failure there would leave the class unusable with an obscure error. So nothing in this package
 * touches Vulkan before {@link #absence()} has answered with an empty string.
 */
final class VulkanLoader {
  private static final String INSTALL =
      "install the Vulkan loader and a driver (Debian, Ubuntu: apt-get install libvulkan1; for an"
          + " NVIDIA GPU in a container also libegl1 libxext6, and start it with"
          + " NVIDIA_DRIVER_CAPABILITIES=compute,utility,graphics)";

  private VulkanLoader() {}

  /** Why Vulkan cannot be used, with what to install; empty when the loader is there. */
  static String absence() {
    return Loaded.ABSENCE;
  }

  /** The message for an instance that finds no driver. */
  static String noDriver() {
    return "the Vulkan loader finds no driver; "
        + INSTALL
        + "; an NVIDIA GPU in MIG mode does not serve Vulkan";
  }

  private static final class Loaded {
    private static final String ABSENCE = load();

    private static String load() {
      Configuration.VULKAN_EXPLICIT_INIT.set(true);
      try {
        Library.initialize();
      } catch (UnsatisfiedLinkError e) {
        return "LWJGL's native library cannot be loaded ("
            + e.getMessage()
            + "); Caldera carries it for Linux on x86-64 and arm64";
      }
      try {
        VK.create();
        return "";
      } catch (UnsatisfiedLinkError e) {
        return "libvulkan.so.1 cannot be loaded; " + INSTALL;
      }
    }
  }
}
