package dev.caldera.backend.cpu;

import dev.caldera.backend.Backend;
import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceInfo;
import dev.caldera.backend.DeviceOptions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The processor as a backend: always there, one device, Java alone. */
public final class CpuBackend implements Backend {
  /** Made by {@link java.util.ServiceLoader}. */
  public CpuBackend() {}

  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public List<DeviceInfo> devices() {
    Runtime runtime = Runtime.getRuntime();
    Compute compute = ComputeChoice.chosen();
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("cores", Integer.toString(runtime.availableProcessors()));
    properties.put("kernels", compute.name());
    properties.put("kernels chosen", compute.reason());
    String jvm = System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version");
    return List.of(
        new DeviceInfo(
            name(),
            "cpu",
            "",
            System.getProperty("os.arch") + " processor, " + compute.name(),
            jvm + ", " + compute.name(),
            false,
            runtime.maxMemory(),
            properties,
            List.of()));
  }

  @Override
  public String absence() {
    return "";
  }

  @Override
  public Device open(DeviceInfo info, DeviceOptions options) {
    int cores = Runtime.getRuntime().availableProcessors();
    int threads = options.threads() == 0 ? cores : options.threads();
    if (threads < 1 || threads > 4096) {
      throw new IllegalArgumentException(
          "Cannot open the CPU with " + threads + " threads: expected 0 (all cores) to 4096");
    }
    return new CpuDevice(info, ComputeChoice.chosen(), threads);
  }
}
