package dev.caldera;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.backend.Backend;
import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceInfo;
import dev.caldera.backend.DeviceOptions;
import dev.caldera.backend.Devices;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DoctorTest {
  private static final DeviceInfo OLD_CARD =
      new DeviceInfo(
          "vulkan",
          "0000-01",
          "0000:01:00.0",
          "Old card",
          "old driver 1",
          false,
          4L << 30,
          Map.of("Vulkan", "1.2.0"),
          List.of("timelineSemaphore is missing", "shaderInt8 is missing"));

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private int examine(String specification, Backend... backends) throws InterruptedException {
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    return new Doctor(stream, Devices.of(List.of(backends))).examine(specification);
  }

  private String text() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void aRefusalIsPrintedWithEveryReason() throws InterruptedException {
    assertThat(examine("vulkan:old", new FakeBackend("vulkan", List.of(OLD_CARD), "")))
        .isEqualTo(1);
    assertThat(text())
        .contains("Old card", "0000:01:00.0", "old driver 1", "4,096 MiB")
        .contains("no: timelineSemaphore is missing; shaderInt8 is missing")
        .contains("FAILED: Cannot select device vulkan:old: it cannot serve: timelineSemaphore");
  }

  @Test
  void anAbsentBackendIsPrintedWithWhatToInstall() throws InterruptedException {
    String absence = "libvulkan.so.1 cannot be loaded; install it";
    assertThat(examine("vulkan", new FakeBackend("vulkan", List.of(), absence))).isEqualTo(1);
    assertThat(text()).contains("No devices of vulkan: " + absence);
  }

  @Test
  void aDeviceThatDoesNotOpenCannotServe() throws InterruptedException {
    DeviceInfo broken =
        new DeviceInfo("vulkan", "0000-02", "", "Broken card", "d", false, 1, Map.of(), List.of());
    assertThat(examine("vulkan", new FakeBackend("vulkan", List.of(broken), ""))).isEqualTo(1);
    assertThat(text()).contains("FAILED: java.lang.IllegalStateException: Cannot open Broken card");
  }

  private record FakeBackend(String name, List<DeviceInfo> devices, String absence)
      implements Backend {
    @Override
    public Device open(DeviceInfo info, DeviceOptions options) {
      throw new IllegalStateException("Cannot open " + info.name());
    }
  }
}
