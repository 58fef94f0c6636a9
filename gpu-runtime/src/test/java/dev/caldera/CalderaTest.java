package dev.caldera;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.testing.VulkanTesting;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class CalderaTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) throws InterruptedException {
    return Caldera.run(
        List.of(arguments),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  private static String text(ByteArrayOutputStream stream) {
    return stream.toString(StandardCharsets.UTF_8);
  }

  @Test
  void doctorFindsTheVulkanTestDeviceHealthy() throws InterruptedException {
    String name = VulkanTesting.device().info().name();
    String id = VulkanTesting.device().info().id();
    assertThat(run("doctor", "--device", "vulkan:" + id)).isZero();
    assertThat(text(out))
        .contains(name, id, "subgroup size", "can serve", "Chosen: device " + name)
        .containsPattern("Linear GELU_ERF +\\d\\.\\de-\\d+  ok")
        .containsPattern("Healthy: (\\d+) of \\1 self-tests passed")
        .doesNotContain("FAILED", "%n");
  }

  @Test
  void doctorFailsWhenTheDeviceIsUnknown() throws InterruptedException {
    assertThat(run("doctor", "--device", "vulkan:no-such-card")).isEqualTo(1);
    assertThat(text(out)).contains("FAILED: Cannot select device vulkan:no-such-card: no Vulkan");
  }

  @Test
  void aWrongCommandLineIsAnErrorWithTheUsage() throws InterruptedException {
    assertThat(run("docter")).isEqualTo(2);
    assertThat(text(err)).contains("Cannot run command: docter", "usage: dev.caldera.Caldera");
    assertThat(run()).isEqualTo(2);
    assertThat(run("doctor", "--device")).isEqualTo(2);
    assertThat(text(out)).isEmpty();
  }
}
