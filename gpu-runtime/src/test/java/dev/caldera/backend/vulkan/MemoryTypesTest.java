package dev.caldera.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
import static org.lwjgl.vulkan.VK10.VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;

import dev.caldera.backend.vulkan.MemoryTypes.Type;
import dev.caldera.memory.BufferUse;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MemoryTypesTest {
  private static final int LOCAL = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  private static final int HOST =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  private static final int CACHED = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  private static final int ALL = -1;

  /** As a discrete GPU with a window into its memory lists them. */
  private static final MemoryTypes DISCRETE = types(0, LOCAL | HOST, LOCAL, HOST, HOST | CACHED);

  /** As a GPU that shares the host's memory, or a software device, lists them. */
  private static final MemoryTypes SHARED = types(LOCAL | HOST | CACHED);

  private static MemoryTypes types(int... flags) {
    return new MemoryTypes(IntStream.of(flags).mapToObj(flag -> new Type(flag, 1L << 30)).toList());
  }

  @Test
  void deviceBuffersLieWhereTheHostCannotSee() {
    assertThat(DISCRETE.choose(BufferUse.DEVICE, ALL)).isEqualTo(2);
  }

  @Test
  void uploadsLieInHostMemoryAndReadbacksInCachedHostMemory() {
    assertThat(DISCRETE.choose(BufferUse.UPLOAD, ALL)).isEqualTo(3);
    assertThat(DISCRETE.choose(BufferUse.READBACK, ALL)).isEqualTo(4);
  }

  @Test
  void aForbiddenTypeIsPassedOver() {
    assertThat(DISCRETE.choose(BufferUse.DEVICE, 0b11011)).isEqualTo(1);
    assertThat(DISCRETE.choose(BufferUse.READBACK, 0b01111)).isEqualTo(3);
  }

  @Test
  void oneTypeServesAllUsesWhereMemoryIsShared() {
    for (BufferUse use : BufferUse.values()) {
      assertThat(SHARED.choose(use, ALL)).isZero();
    }
  }

  @Test
  void noSuitableTypeIsAnError() {
    MemoryTypes local = new MemoryTypes(List.of(new Type(LOCAL, 1)));
    assertThatThrownBy(() -> local.choose(BufferUse.UPLOAD, ALL))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("Cannot place a UPLOAD buffer: none of the memory types");
  }
}
