package dev.caldera.shaders.build;

import static org.lwjgl.util.shaderc.Shaderc.*;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compiles the GLSL sources to SPIR-V and writes the class {@code ShaderRegistry}. The build runs
 * this file as it stands ({@code java ShaderCompiler.java <glsl> <resources> <sources>}), before
 * anything else is compiled.
 *
 * <p>Each {@code <glsl>/<name>.comp} is one shader. Comment lines in it declare how to compile it:
 *
 * <pre>
 * // variant f32: -DELEMENT=float     one SPIR-V module, with these macros; any number of lines
 * // target vulkan1.3                 SPIR-V 1.6; without it Vulkan 1.2, SPIR-V 1.5
 * // optimiser off                    the SPIR-V optimiser is left out
 * </pre>
 *
 * A source without variants makes one module without macros. {@code #include "lib/x.glsl"} takes a
 * head in, once a source. What the runtime must know of a module is read from its SPIR-V.
 */
final class ShaderCompiler {
  private static final String RESOURCE_FOLDER = "dev/caldera/shaders";

  private ShaderCompiler() {}

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 3) {
      throw new IllegalArgumentException(
          "Cannot compile shaders: three folders are needed (GLSL, resources, Java sources), got "
              + arguments.length);
    }
    Path glsl = Path.of(arguments[0]);
    Path resources = Path.of(arguments[1]).resolve(RESOURCE_FOLDER);
    Path registry = Path.of(arguments[2]).resolve(RESOURCE_FOLDER).resolve("ShaderRegistry.java");
    Path stamp = Path.of(arguments[1]).resolveSibling("shaders.stamp");
    String digest = digest(glsl);
    if (Files.exists(registry) && Files.exists(stamp) && Files.readString(stamp).equals(digest)) {
      return;
    }
    Files.deleteIfExists(stamp);
    deleteModules(resources);
    List<String> errors = new ArrayList<>();
    Map<String, Module> modules = compileAll(glsl, resources, errors);
    if (!errors.isEmpty()) {
      errors.forEach(System.err::println);
      System.exit(1);
    }
    Files.createDirectories(registry.getParent());
    Files.writeString(registry, registrySource(modules));
    Files.writeString(stamp, digest);
    System.out.println("Compiled " + modules.size() + " shader modules");
  }

  /** Compiles every variant of every source; what fails is added to {@code errors}. */
  static Map<String, Module> compileAll(Path glsl, Path resources, List<String> errors)
      throws IOException {
    Map<String, Module> modules = new TreeMap<>();
    Files.createDirectories(resources);
    for (Path source : sources(glsl, ".comp")) {
      String stem = source.getFileName().toString().replace(".comp", "");
      try {
        Declarations declarations = Declarations.parse(source.toString(), Files.readString(source));
        String text = expand(source, glsl, new LinkedHashSet<>());
        for (Variant variant : declarations.variants()) {
          String name = variant.suffix().isEmpty() ? stem : stem + "_" + variant.suffix();
          // Names survive only where the optimiser has not run, so the module is read before it.
          ByteBuffer plain = compile(source, text, variant, declarations.withoutOptimiser());
          modules.put(name, Module.read(name, plain));
          byte[] shipped = bytes(compile(source, text, variant, declarations));
          Files.write(resources.resolve(name + ".spv"), shipped);
        }
      } catch (ShaderException e) {
        errors.add(e.getMessage());
      }
    }
    return modules;
  }

  private static ByteBuffer compile(
      Path source, String text, Variant variant, Declarations declarations) {
    long compiler = shaderc_compiler_initialize();
    long options = shaderc_compile_options_initialize();
    try {
      shaderc_compile_options_set_target_env(
          options,
          shaderc_target_env_vulkan,
          declarations.vulkan13()
              ? shaderc_env_version_vulkan_1_3
              : shaderc_env_version_vulkan_1_2);
      shaderc_compile_options_set_warnings_as_errors(options);
      shaderc_compile_options_set_optimization_level(
          options,
          declarations.optimised()
              ? shaderc_optimization_level_performance
              : shaderc_optimization_level_zero);
      variant
          .macros()
          .forEach((k, v) -> shaderc_compile_options_add_macro_definition(options, k, v));
      long result =
          shaderc_compile_into_spv(
              compiler, text, shaderc_compute_shader, source.toString(), "main", options);
      try {
        if (shaderc_result_get_compilation_status(result) != shaderc_compilation_status_success) {
          throw new ShaderException(
              "Cannot compile variant '"
                  + variant.suffix()
                  + "' of "
                  + source
                  + ":\n"
                  + shaderc_result_get_error_message(result));
        }
        ByteBuffer module = shaderc_result_get_bytes(result);
        return ByteBuffer.wrap(bytes(module)).order(ByteOrder.LITTLE_ENDIAN);
      } finally {
        shaderc_result_release(result);
      }
    } finally {
      shaderc_compile_options_release(options);
      shaderc_compiler_release(compiler);
    }
  }

  /** The text with every head put in its place, and {@code #line} marks so that errors fit. */
  static String expand(Path file, Path root, Set<Path> included) throws IOException {
    StringBuilder text = new StringBuilder();
    List<String> lines = Files.readAllLines(file);
    Pattern include = Pattern.compile("\\s*#include\\s+\"([^\"]+)\"\\s*");
    for (int i = 0; i < lines.size(); i++) {
      Matcher matcher = include.matcher(lines.get(i));
      if (!matcher.matches()) {
        text.append(lines.get(i)).append('\n');
        if (lines.get(i).startsWith("#version")) {
          text.append("#extension GL_GOOGLE_cpp_style_line_directive : require\n");
          text.append("#line ").append(i + 2).append('\n');
        }
        continue;
      }
      Path head = root.resolve(matcher.group(1));
      if (!Files.exists(head)) {
        throw new ShaderException(
            file
                + ":"
                + (i + 1)
                + ": error: cannot include "
                + matcher.group(1)
                + ": no such file in "
                + root);
      }
      if (included.add(head)) {
        text.append("#line 1 \"").append(head).append("\"\n");
        text.append(expand(head, root, included));
      }
      text.append("#line ").append(i + 2).append(" \"").append(file).append("\"\n");
    }
    return text.toString();
  }

  static String registrySource(Map<String, Module> modules) {
    StringBuilder text = new StringBuilder();
    text.append("package dev.caldera.shaders;\n\nimport java.util.List;\n\n");
    text.append("/** All shaders, one constant a source and variant; written by the build. */\n");
    text.append("public final class ShaderRegistry {\n  private ShaderRegistry() {}\n\n");
    modules.forEach(
        (name, module) ->
            text.append(
                String.format(
                    Locale.ROOT,
                    "  public static final Shader %s =\n"
                        + "      new Shader(\"%s\", \"/%s/%s.spv\", %d, %d, %d, List.of(%s));\n\n",
                    name.toUpperCase(Locale.ROOT),
                    name,
                    RESOURCE_FOLDER,
                    name,
                    module.pushBytes(),
                    module.sharedBytes(),
                    module.localSize(),
                    module.constants().stream()
                        .map(c -> '"' + c + '"')
                        .collect(Collectors.joining(", ")))));
    text.append("  /** Every shader, by name. */\n");
    text.append("  public static final List<Shader> ALL =\n      List.of(\n          ");
    text.append(
        modules.keySet().stream()
            .map(name -> name.toUpperCase(Locale.ROOT))
            .collect(Collectors.joining(",\n          ")));
    return text.append(");\n}\n").toString();
  }

  private static List<Path> sources(Path folder, String... endings) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(f -> Stream.of(endings).anyMatch(e -> f.toString().endsWith(e)))
          .sorted()
          .toList();
    }
  }

  private static void deleteModules(Path resources) throws IOException {
    if (Files.isDirectory(resources)) {
      for (Path module : sources(resources, ".spv")) {
        Files.delete(module);
      }
    }
  }

  /** Over all sources, their names and this file: what the modules depend on. */
  private static String digest(Path glsl) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      List<Path> files = new ArrayList<>(sources(glsl, ".comp", ".glsl"));
      files.addAll(sources(glsl.resolve("../../build/java"), ".java"));
      for (Path file : files) {
        digest.update(file.getFileName().toString().getBytes(StandardCharsets.UTF_8));
        digest.update(Files.readAllBytes(file));
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  /** A source that cannot be compiled; the message has file and line. */
  static final class ShaderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ShaderException(String message) {
      super(message);
    }
  }

  /** One set of macros; the suffix is empty for a source that declares no variant. */
  record Variant(String suffix, Map<String, String> macros) {}

  /** What a source's comment lines say about compiling it. */
  record Declarations(List<Variant> variants, boolean vulkan13, boolean optimised) {
    private static final Pattern VARIANT = Pattern.compile("// variant ([a-z0-9_]+):(.*)");
    private static final Pattern MACRO = Pattern.compile("-D([A-Za-z_][A-Za-z0-9_]*)(=\\S+)?");

    Declarations withoutOptimiser() {
      return new Declarations(variants, vulkan13, false);
    }

    static Declarations parse(String file, String text) {
      Map<String, Variant> variants = new LinkedHashMap<>();
      boolean vulkan13 = false;
      boolean optimised = true;
      List<String> lines = text.lines().toList();
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i).strip();
        String place = file + ":" + (i + 1) + ": error: ";
        Matcher matcher = VARIANT.matcher(line);
        if (matcher.matches()) {
          Variant variant = new Variant(matcher.group(1), macros(place, matcher.group(2)));
          if (variants.put(variant.suffix(), variant) != null) {
            throw new ShaderException(place + "variant " + variant.suffix() + " stands twice");
          }
        } else if (line.equals("// target vulkan1.3")) {
          vulkan13 = true;
        } else if (line.equals("// optimiser off")) {
          optimised = false;
        } else if (line.matches("// (variant|target|optimiser) .*")) {
          throw new ShaderException(
              place
                  + "cannot read '"
                  + line
                  + "': '// variant <suffix>: -DNAME=VALUE ..', '// target vulkan1.3' or"
                  + " '// optimiser off' would be right");
        }
      }
      if (variants.isEmpty()) {
        variants.put("", new Variant("", Map.of()));
      }
      return new Declarations(List.copyOf(variants.values()), vulkan13, optimised);
    }

    private static Map<String, String> macros(String place, String flags) {
      Map<String, String> macros = new LinkedHashMap<>();
      for (String flag : flags.isBlank() ? new String[0] : flags.strip().split("\\s+", -1)) {
        Matcher matcher = MACRO.matcher(flag);
        if (!matcher.matches()) {
          throw new ShaderException(place + "cannot read '" + flag + "': -DNAME=VALUE is right");
        }
        String value = matcher.group(2);
        macros.put(matcher.group(1), value == null ? "1" : value.substring(1));
      }
      return macros;
    }
  }

  /** What the runtime must know of a module, read from SPIR-V that still has its names. */
  record Module(int pushBytes, int sharedBytes, int localSize, List<String> constants) {
    private static final int PUSH_CONSTANT = 9;
    private static final int WORKGROUP = 4;

    static Module read(String name, ByteBuffer spirv) {
      Reader reader = new Reader();
      reader.read(spirv);
      List<String> constants = new ArrayList<>();
      reader.specIds.forEach(
          (specId, id) -> {
            if (specId != constants.size()) {
              throw new ShaderException(
                  name
                      + ": specialization constants must be numbered 0, 1, 2, ..: "
                      + reader.specIds.keySet());
            }
            constants.add(specId == reader.sizeSpecId ? "WORKGROUP" : reader.names.get(id));
          });
      return new Module(
          reader.bytesOf(PUSH_CONSTANT), reader.bytesOf(WORKGROUP), reader.localSize, constants);
    }
  }

  /** Walks a module's instructions; word 0 of each is its length and its code. */
  private static final class Reader {
    final Map<Integer, String> names = new HashMap<>();
    final Map<Integer, Integer> specIds = new TreeMap<>();
    final Map<Integer, int[]> definitions = new HashMap<>();
    final Map<Integer, Integer> offsets = new HashMap<>();
    final List<int[]> variables = new ArrayList<>();
    int localSize;
    int sizeSpecId = -1;

    void read(ByteBuffer spirv) {
      int[] words = new int[spirv.remaining() / 4];
      spirv.order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(words);
      for (int at = 5; at < words.length; at += words[at] >>> 16) {
        take(words[at] & 0xFFFF, java.util.Arrays.copyOfRange(words, at, at + (words[at] >>> 16)));
      }
    }

    private void take(int code, int[] w) {
      switch (code) {
        case 5 -> names.put(w[1], literal(w, 2)); // OpName
        case 16 -> localSize = w[2] == 17 ? w[3] * w[4] * w[5] : localSize; // LocalSize
        case 71 -> { // OpDecorate SpecId
          if (w[2] == 1) {
            specIds.put(w[3], w[1]);
          }
        }
        case 72 -> { // OpMemberDecorate Offset
          if (w[3] == 35) {
            offsets.merge(w[1], w[4], Math::max);
          }
        }
        case 21, 22, 23, 28, 30, 32 -> definitions.put(w[1], w); // types
        case 43, 50 -> definitions.put(w[2], w); // OpConstant, OpSpecConstant
        case 59 -> variables.add(w); // OpVariable
        case 51 -> { // OpSpecConstantComposite: the workgroup size
          localSize = 0;
          sizeSpecId = 0;
        }
        default -> {}
      }
    }

    int bytesOf(int storage) {
      return variables.stream()
          .filter(v -> v[3] == storage)
          .mapToInt(v -> bytes(definition(v[1])[3]))
          .sum();
    }

    private int bytes(int type) {
      int[] w = definition(type);
      return switch (w[0] & 0xFFFF) {
        case 21, 22 -> w[2] / 8; // int, float
        case 23 -> w[3] * bytes(w[2]); // vector
        case 28 -> definition(w[3])[3] * bytes(w[2]); // array
        case 30 ->
            offsets.containsKey(type) // struct: the last offset and what stands there
                ? offsets.get(type) + bytes(w[w.length - 1])
                : java.util.Arrays.stream(w).skip(2).map(this::bytes).sum();
        case 32 -> 8; // pointer
        default -> throw new ShaderException("Cannot size SPIR-V type " + type);
      };
    }

    private int[] definition(int id) {
      int[] words = definitions.get(id);
      if (words == null) {
        throw new ShaderException("Cannot size SPIR-V type " + id + ": not defined");
      }
      return words;
    }

    private static String literal(int[] words, int from) {
      ByteBuffer bytes = ByteBuffer.allocate(words.length * 4).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = from; i < words.length; i++) {
        bytes.putInt(words[i]);
      }
      String text = new String(bytes.array(), StandardCharsets.UTF_8);
      return text.substring(0, text.indexOf('\0'));
    }
  }
}
