package dev.caldera.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.backend.DeviceOptions;
import dev.caldera.shaders.Shader;
import dev.caldera.shaders.ShaderRegistry;
import dev.caldera.testing.VulkanTesting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PipelineStoreTest {
  private @Nullable VulkanDevice device;

  private PipelineStore open(DeviceOptions options) {
    VulkanDevice opened = (VulkanDevice) VulkanTesting.device().open(options);
    device = opened;
    return opened.pipelines();
  }

  @AfterEach
  void close() {
    if (device != null) {
      VulkanDevices.closeSilently(device);
    }
  }

  @Test
  void aPipelineIsMadeOnceForItsConstants() throws Exception {
    PipelineStore store = open(VulkanTesting.options());
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<Pipeline>> all =
          IntStream.range(0, 16)
              .mapToObj(
                  i -> threads.submit(() -> store.pipeline(ShaderRegistry.UNARY_F32, 64, i % 2)))
              .toList();
      for (int i = 2; i < all.size(); i++) {
        assertThat(all.get(i).get()).isEqualTo(all.get(i % 2).get());
      }
      assertThat(all.get(0).get()).isNotEqualTo(all.get(1).get());
      assertThat(store.made()).isEqualTo(2);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void whatTheDeviceHasNotIsRefusedBeforeTheDriverIsAsked() {
    PipelineStore store = open(VulkanTesting.options());
    assertThatThrownBy(() -> store.pipeline(ShaderRegistry.UNARY_F32, 1 << 20, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching(
            "Cannot make a pipeline of shader unary_f32: it needs 1048576 invocations a workgroup,"
                + " and .* has \\d+");
    Shader real = ShaderRegistry.UNARY_F32;
    Shader wide =
        new Shader("wide", real.resource(), real.pushBytes(), 1 << 30, 64, real.constants());
    assertThatThrownBy(() -> store.pipeline(wide))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it needs 1073741824 bytes of shared memory, and ");
    Shader pushy = new Shader("pushy", real.resource(), 1 << 20, 0, 64, real.constants());
    assertThatThrownBy(() -> store.pipeline(pushy))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it needs 1048576 bytes of push constants, and ");
    assertThatThrownBy(() -> store.pipeline(real, 64, 0, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3 constants are given, it has [WORKGROUP, KIND]");
    assertThat(store.made()).isZero();
  }

  @Test
  void compiledPipelinesAreKeptBetweenRuns(@TempDir Path folder) throws IOException {
    DeviceOptions options = new DeviceOptions(0, Optional.of(folder), true);
    PipelineStore first = open(options);
    first.pipeline(ShaderRegistry.UNARY_F32, 64, 0);
    close();
    device = null;
    List<Path> kept;
    try (Stream<Path> files = Files.list(folder)) {
      kept = files.toList();
    }
    assertThat(kept).hasSize(1);
    assertThat(kept.get(0).getFileName().toString()).startsWith("vulkan-pipelines-");
    assertThat(kept.get(0)).isNotEmptyFile();

    PipelineStore second = open(options);
    assertThat(second.pipeline(ShaderRegistry.UNARY_F32, 64, 0).handle()).isNotZero();
    close();
    device = null;

    Files.write(kept.get(0), new byte[] {1, 2, 3});
    PipelineStore third = open(options);
    assertThat(third.pipeline(ShaderRegistry.UNARY_F32, 64, 0).handle()).isNotZero();
  }
}
