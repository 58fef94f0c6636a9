package dev.caldera.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.Caldera;
import dev.caldera.backend.Device;
import dev.caldera.memory.BufferUse;
import dev.caldera.testing.VulkanTesting;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What only a process of its own shows: absent libraries, and the end of the JVM. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class VulkanProcessTest {

  private record Ended(int exitCode, String output) {}

  private static Ended java(
      Map<String, String> environment, List<String> flags, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-Dcaldera.test.device=" + System.getProperty("caldera.test.device", ""));
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output);
  }

  @Test
  void anAbsentLoaderIsOneMessageThatSaysWhatToInstall() throws Exception {
    Ended ended =
        java(
            Map.of(),
            List.of("-Dorg.lwjgl.vulkan.libname=libvulkan-absent.so.1"),
            Caldera.class,
            "doctor",
            "--device",
            "vulkan");
    assertThat(ended.output())
        .contains(
            "No devices of vulkan: libvulkan.so.1 cannot be loaded; install the Vulkan loader and a"
                + " driver (Debian, Ubuntu: apt-get install libvulkan1;")
        .contains("FAILED: Cannot select device vulkan: ")
        .doesNotContain("Exception", "\tat ");
    assertThat(ended.exitCode()).isEqualTo(1);
  }

  @Test
  void aLoaderWithoutADriverIsOneMessageThatSaysWhatToInstall() throws Exception {
    VulkanTesting.device();
    Ended ended =
        java(
            Map.of(
                "VK_ICD_FILENAMES", "/nowhere/driver.json",
                "VK_DRIVER_FILES", "/nowhere/driver.json"),
            List.of(),
            Caldera.class,
            "doctor",
            "--device",
            "vulkan");
    assertThat(ended.output())
        .contains("No devices of vulkan: the Vulkan loader finds no driver; install the Vulkan")
        .doesNotContain("Exception", "\tat ");
    assertThat(ended.exitCode()).isEqualTo(1);
  }

  @Test
  void aDeviceThatNobodyClosedIsClosedAsTheProcessEnds() throws Exception {
    VulkanTesting.device();
    Ended ended = java(Map.of(), List.of(), Forgetful.class);
    assertThat(ended.output()).contains("was not closed; closing it as the JVM ends", "in flight");
    assertThat(ended.exitCode()).as(ended.output()).isZero();
  }

  /** Ends with an open device, open buffers and a submission that still runs. */
  static final class Forgetful {
    private static final int BYTES = 64 << 20;

    private Forgetful() {}

    public static void main(String[] arguments) {
      Device device = VulkanTesting.open();
      var source = device.allocate(BYTES, BufferUse.DEVICE);
      var target = device.allocate(BYTES, BufferUse.READBACK);
      try (var commands = device.begin()) {
        commands.copy(source, 0, target, 0, BYTES);
        commands.submit();
      }
      System.out.println("a copy is in flight");
      System.exit(0);
    }
  }
}
