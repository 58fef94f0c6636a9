package dev.caldera.shaders;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * One compiled shader: a GLSL source with the macros of one of its variants, and what the build
 * found in its SPIR-V.
 *
 * @param name the source's name and the variant's suffix, for example {@code linear_f32}
 * @param resource class path resource that holds its SPIR-V
 * @param pushBytes bytes of its push constant block
 * @param sharedBytes bytes of shared memory of a workgroup, with specialization constants at their
 *     defaults
 * @param localSize invocations of a workgroup; 0 where specialization constant 0 sets them
 * @param constants names of its specialization constants; their ids are the positions
 */
public record Shader(
    String name,
    String resource,
    int pushBytes,
    int sharedBytes,
    int localSize,
    List<String> constants) {

  public Shader {
    constants = List.copyOf(constants);
  }

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
