package dev.caldera.shaders;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * One compiled shader: a GLSL source with the macros of one of its variants.
 *
 * @param name the source's name and the variant's suffix, for example {@code linear_gelu}
 * @param resource class path resource that holds its SPIR-V
 */
public record Shader(String name, String resource) {

  /** The SPIR-V module: little-endian words. */
  public byte[] spirv() {
    try (InputStream stream = Shader.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IllegalStateException(
            "Cannot load shader " + name + ": " + resource + " is not on the class path");
      }
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot load shader " + name + ": " + resource, e);
    }
  }
}
