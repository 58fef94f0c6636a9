package dev.caldera.shaders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShaderRegistryTest {
  private static final int MAGIC = 0x07230203;
  private static final int SPIRV_1_5 = 0x00010500;

  @Test
  void everyShaderIsAModuleForVulkan12() {
    assertThat(ShaderRegistry.ALL).isNotEmpty();
    for (Shader shader : ShaderRegistry.ALL) {
      ByteBuffer words = ByteBuffer.wrap(shader.spirv()).order(ByteOrder.LITTLE_ENDIAN);
      assertThat(words.remaining() % 4).as(shader.name()).isZero();
      assertThat(words.getInt(0)).as(shader.name()).isEqualTo(MAGIC);
      assertThat(words.getInt(4)).as(shader.name()).isEqualTo(SPIRV_1_5);
    }
  }

  @Test
  void everyShaderFitsWhatEachDeviceOffers() {
    for (Shader shader : ShaderRegistry.ALL) {
      assertThat(shader.pushBytes()).as(shader.name()).isBetween(1, 128);
      assertThat(shader.sharedBytes()).as(shader.name()).isBetween(0, 16384);
      assertThat(shader.localSize()).as(shader.name()).isBetween(0, 128);
    }
  }

  @Test
  void aResourceThatIsNotThereIsNamed() {
    Shader missing = new Shader("missing", "/dev/caldera/shaders/missing.spv", 0, 0, 1, List.of());
    assertThatThrownBy(missing::spirv)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Cannot load shader missing: /dev/caldera/shaders/missing.spv is not on the class"
                + " path");
  }
}
