package dev.caldera.backend.vulkan;

import dev.caldera.graph.DType;
import dev.caldera.shaders.Shader;
import dev.caldera.shaders.ShaderRegistry;
import java.util.Map;

/** Shaders that move elements without looking into them: one variant an element size. */
final class Widths {
  static final Map<Integer, Shader> STRIDED_COPY =
      Map.of(
          1, ShaderRegistry.STRIDED_COPY_W1,
          2, ShaderRegistry.STRIDED_COPY_W2,
          4, ShaderRegistry.STRIDED_COPY_W4,
          8, ShaderRegistry.STRIDED_COPY_W8);
  static final Map<Integer, Shader> GATHER =
      Map.of(
          1, ShaderRegistry.GATHER_W1,
          2, ShaderRegistry.GATHER_W2,
          4, ShaderRegistry.GATHER_W4,
          8, ShaderRegistry.GATHER_W8);
  static final Map<Integer, Shader> WHERE =
      Map.of(
          1, ShaderRegistry.WHERE_W1,
          2, ShaderRegistry.WHERE_W2,
          4, ShaderRegistry.WHERE_W4,
          8, ShaderRegistry.WHERE_W8);
  static final Map<Integer, Shader> CONVERT_LAYOUT =
      Map.of(
          1, ShaderRegistry.CONVERT_LAYOUT_W1,
          2, ShaderRegistry.CONVERT_LAYOUT_W2,
          4, ShaderRegistry.CONVERT_LAYOUT_W4,
          8, ShaderRegistry.CONVERT_LAYOUT_W8);

  private Widths() {}

  /** The variant for elements of {@code type}. */
  static Shader of(Map<Integer, Shader> variants, DType type) {
    Shader shader = variants.get(type.bytes());
    if (shader == null) {
      throw new IllegalStateException(
          "Cannot move elements of " + type + ": there are variants of " + variants.keySet());
    }
    return shader;
  }
}
