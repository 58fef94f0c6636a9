package dev.caldera.backend.vulkan;

import static org.lwjgl.vulkan.EXTDebugUtils.VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
import static org.lwjgl.vulkan.VK10.VK_ERROR_INCOMPATIBLE_DRIVER;
import static org.lwjgl.vulkan.VK10.vkCreateInstance;
import static org.lwjgl.vulkan.VK10.vkDestroyInstance;
import static org.lwjgl.vulkan.VK10.vkEnumerateInstanceLayerProperties;
import static org.lwjgl.vulkan.VK10.vkEnumeratePhysicalDevices;
import static org.lwjgl.vulkan.VK12.VK_API_VERSION_1_2;
import static org.lwjgl.vulkan.VK13.VK_API_VERSION_1_3;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VK;
import org.lwjgl.vulkan.VkApplicationInfo;
import org.lwjgl.vulkan.VkInstance;
import org.lwjgl.vulkan.VkInstanceCreateInfo;
import org.lwjgl.vulkan.VkLayerProperties;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A VkInstance, with the validation layer when asked for.
 *
 * <p>A process makes at most one of each kind and keeps it until it ends. The loader unloads a
 * driver with the last instance, and a driver that is loaded anew some dozen times finds no more
 * room for its thread-local data: then no device is found any more. As the process ends, {@link
 * VulkanShutdown} destroys the instances, because a driver may crash that still has one then.
 */
final class VulkanInstance {
  private static final Logger LOG = LoggerFactory.getLogger(VulkanInstance.class);
  private static final String VALIDATION_LAYER = "VK_LAYER_KHRONOS_validation";

  private static final Map<Validation, VulkanInstance> SHARED = new EnumMap<>(Validation.class);

  private final VkInstance handle;
  private final @Nullable ValidationLog validation;

  private VulkanInstance(VkInstance handle, @Nullable ValidationLog validation) {
    this.handle = handle;
    this.validation = validation;
  }

  /** Whether the validation layer should watch. */
  enum Validation {
    OFF,
    /** On where the layer is installed; its absence is logged. */
    ON
  }

  /**
   * The process's instance.
   *
   * @throws VulkanAbsentException if there is no loader, no driver, or only Vulkan before 1.2
   */
  static synchronized VulkanInstance shared(Validation wanted) {
    VulkanInstance instance = SHARED.get(wanted);
    if (instance == null) {
      VulkanShutdown.arrange();
      instance = inThreadOfItsOwn(() -> create(wanted));
      SHARED.put(wanted, instance);
    }
    return instance;
  }

  /**
   * Calls {@code action} in a thread that ends with it. NVIDIA's driver crashes the process when it
   * is unloaded by another thread than the one that loaded it while that one still lives; and the
   * thread that ends the process is always another.
   */
  static <T> T inThreadOfItsOwn(Supplier<T> action) {
    FutureTask<T> task = new FutureTask<>(action::get);
    Thread thread = new Thread(task, "caldera-vulkan-loader");
    thread.setDaemon(true);
    thread.start();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          thread.join();
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          if (e.getCause() instanceof RuntimeException failure) {
            throw failure;
          }
          throw new IllegalStateException("Cannot load a Vulkan driver", e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static VulkanInstance create(Validation wanted) {
    String absence = VulkanLoader.absence();
    if (!absence.isEmpty()) {
      throw new VulkanAbsentException(absence);
    }
    int supported = VK.getInstanceVersionSupported();
    if (supported < VK_API_VERSION_1_2) {
      throw new VulkanAbsentException(
          "the Vulkan loader is older than Vulkan 1.2; install a newer libvulkan1");
    }
    boolean validate = wanted == Validation.ON && layerInstalled();
    try (MemoryStack stack = MemoryStack.stackPush()) {
      VkApplicationInfo application =
          VkApplicationInfo.calloc(stack)
              .sType$Default()
              .pApplicationName(stack.UTF8("Caldera"))
              .pEngineName(stack.UTF8("Caldera"))
              .apiVersion(Math.min(supported, VK_API_VERSION_1_3));
      VkInstanceCreateInfo info =
          VkInstanceCreateInfo.calloc(stack).sType$Default().pApplicationInfo(application);
      if (validate) {
        info.ppEnabledLayerNames(stack.pointers(stack.UTF8(VALIDATION_LAYER)));
        info.ppEnabledExtensionNames(stack.pointers(stack.UTF8(VK_EXT_DEBUG_UTILS_EXTENSION_NAME)));
      }
      PointerBuffer handle = stack.mallocPointer(1);
      int result = vkCreateInstance(info, null, handle);
      if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
        throw new VulkanAbsentException(VulkanLoader.noDriver());
      }
      VulkanException.check(result, "create a Vulkan instance");
      VkInstance instance = new VkInstance(handle.get(0), info);
      return new VulkanInstance(instance, validate ? new ValidationLog(instance) : null);
    }
  }

  private static boolean layerInstalled() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      int[] count = new int[1];
      VulkanException.check(
          vkEnumerateInstanceLayerProperties(count, null), "count the Vulkan layers");
      VkLayerProperties.Buffer layers = VkLayerProperties.malloc(count[0], stack);
      VulkanException.check(
          vkEnumerateInstanceLayerProperties(count, layers), "list the Vulkan layers");
      boolean installed =
          layers.stream().anyMatch(layer -> layer.layerNameString().equals(VALIDATION_LAYER));
      if (!installed) {
        LOG.warn(
            "Validation was asked for, but {} is not installed (Debian, Ubuntu: apt-get install"
                + " vulkan-validationlayers)",
            VALIDATION_LAYER);
      }
      return installed;
    }
  }

  /** Its physical devices, in the driver's order. */
  List<VkPhysicalDevice> physicalDevices() {
    try (MemoryStack stack = MemoryStack.stackPush()) {
      int[] count = new int[1];
      VulkanException.check(
          vkEnumeratePhysicalDevices(handle, count, null), "count the Vulkan devices");
      List<VkPhysicalDevice> devices = new ArrayList<>();
      if (count[0] > 0) {
        PointerBuffer pointers = stack.mallocPointer(count[0]);
        VulkanException.check(
            vkEnumeratePhysicalDevices(handle, count, pointers), "list the Vulkan devices");
        for (int i = 0; i < count[0]; i++) {
          devices.add(new VkPhysicalDevice(pointers.get(i), handle));
        }
      }
      return devices;
    }
  }

  /** What the validation layer said; null when it does not watch. */
  @Nullable ValidationLog validation() {
    return validation;
  }

  /** Destroys all instances; no device may be open. */
  static synchronized void destroyAll() {
    SHARED.values().forEach(VulkanInstance::destroy);
    SHARED.clear();
  }

  private void destroy() {
    if (validation != null) {
      validation.stop();
    }
    vkDestroyInstance(handle, null);
  }
}
