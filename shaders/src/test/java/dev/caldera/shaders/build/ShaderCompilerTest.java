package dev.caldera.shaders.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.shaders.build.ShaderCompiler.Declarations;
import dev.caldera.shaders.build.ShaderCompiler.Module;
import dev.caldera.shaders.build.ShaderCompiler.ShaderException;
import dev.caldera.shaders.build.ShaderCompiler.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShaderCompilerTest {
  @TempDir Path folder;

  @Test
  void readsVariantsTargetAndOptimiser() {
    Declarations declarations =
        Declarations.parse(
            "a.comp",
            """
            #version 460
            // variant f32: -DELEMENT=float -DFAST
            // variant f16: -DELEMENT=float16_t
            // target vulkan1.3
            // optimiser off
            """);
    assertThat(declarations.variants())
        .containsExactly(
            new Variant("f32", Map.of("ELEMENT", "float", "FAST", "1")),
            new Variant("f16", Map.of("ELEMENT", "float16_t")));
    assertThat(declarations.vulkan13()).isTrue();
    assertThat(declarations.optimised()).isFalse();
  }

  @Test
  void withoutDeclarationsThereIsOneVariantForVulkan12() {
    Declarations declarations = Declarations.parse("a.comp", "#version 460\nvoid main() {}\n");
    assertThat(declarations.variants()).containsExactly(new Variant("", Map.of()));
    assertThat(declarations.vulkan13()).isFalse();
    assertThat(declarations.optimised()).isTrue();
  }

  @Test
  void rejectsWhatItCannotRead() {
    assertThatThrownBy(() -> Declarations.parse("a.comp", "\n// variant f32: ELEMENT=float"))
        .isInstanceOf(ShaderException.class)
        .hasMessage("a.comp:2: error: cannot read 'ELEMENT=float': -DNAME=VALUE is right");
    assertThatThrownBy(() -> Declarations.parse("a.comp", "// target vulkan9"))
        .isInstanceOf(ShaderException.class)
        .hasMessageStartingWith("a.comp:1: error: cannot read '// target vulkan9'");
    assertThatThrownBy(
            () -> Declarations.parse("a.comp", "// variant a: -DX=1\n// variant a: -DX=2"))
        .isInstanceOf(ShaderException.class)
        .hasMessage("a.comp:2: error: variant a stands twice");
  }

  @Test
  void errorsNameTheFileAndLineEvenInAHead() throws IOException {
    write("lib/head.glsl", "float halved(float x) {\n  return x * missing;\n}\n");
    write(
        "broken.comp", "#version 460\n#include \"lib/head.glsl\"\nvoid main() { halved(1.0); }\n");
    write("lost.comp", "#version 460\n#include \"lib/none.glsl\"\nvoid main() {}\n");
    List<String> errors = new ArrayList<>();
    ShaderCompiler.compileAll(folder, folder.resolve("out"), errors);
    assertThat(errors).hasSize(2);
    assertThat(errors.get(0))
        .contains(folder.resolve("lib/head.glsl") + ":2: error: 'missing' : undeclared identifier");
    assertThat(errors.get(1))
        .contains(folder.resolve("lost.comp") + ":2: error: cannot include lib/none.glsl");
  }

  @Test
  void linesBehindAnIncludeAreCountedRight() throws IOException {
    write("lib/head.glsl", "const float HALF = 0.5;\n");
    write("late.comp", "#version 460\n#include \"lib/head.glsl\"\nvoid main() {\n  wrong();\n}\n");
    List<String> errors = new ArrayList<>();
    ShaderCompiler.compileAll(folder, folder.resolve("out"), errors);
    assertThat(errors).hasSize(1);
    assertThat(errors.get(0)).contains(folder.resolve("late.comp") + ":4: error:");
  }

  @Test
  void readsWhatTheRuntimeMustKnow() throws IOException {
    write(
        "facts.comp",
        """
        #version 460
        #extension GL_EXT_buffer_reference : require
        // variant wide: -DWIDTH=4
        // variant narrow: -DWIDTH=2
        layout(local_size_x_id = 0) in;
        layout(constant_id = 1) const uint COLUMNS = 1;
        layout(buffer_reference) buffer Floats { float at[]; };
        layout(push_constant) uniform Push { Floats y; uint dims[3]; uint rows; };
        shared vec4 piece[2][WIDTH];
        void main() {
          piece[dims[0]][0] = vec4(COLUMNS);
          barrier();
          y.at[rows] = piece[1][1].x;
        }
        """);
    write(
        "fixed.comp",
        "#version 460\nlayout(local_size_x = 8, local_size_y = 4) in;\nvoid main() {}\n");
    List<String> errors = new ArrayList<>();
    Map<String, Module> modules = ShaderCompiler.compileAll(folder, folder.resolve("out"), errors);
    assertThat(errors).isEmpty();
    assertThat(modules)
        .containsEntry("facts_wide", new Module(24, 128, 0, List.of("WORKGROUP", "COLUMNS")))
        .containsEntry("facts_narrow", new Module(24, 64, 0, List.of("WORKGROUP", "COLUMNS")))
        .containsEntry("fixed", new Module(0, 0, 32, List.of()));
    assertThat(ShaderCompiler.registrySource(modules))
        .contains("public static final Shader FACTS_WIDE =")
        .contains("new Shader(\"fixed\", \"/dev/caldera/shaders/fixed.spv\", 0, 0, 32, List.of())");
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
