package dev.caldera.spark.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** What the jar for Spark holds, and that none of it can meet what Spark brings. */
class ShadedJarIT {
  /** Packages that keep their names because JNI looks their classes up; Spark has none of them. */
  private static final List<String> OURS = List.of("dev.caldera.", "org.lwjgl.", "ai.djl.");

  /**
   * The logging interface alone, for the doctor on a machine without Spark. Where Spark is, Spark's
   * copy is found first, and Caldera logs where Spark does.
   */
  private static final String LOGGING = "org.slf4j.";

  private static JarFile jar() throws IOException {
    return new JarFile(System.getProperty("caldera.shaded.jar"));
  }

  private static String packageOf(String entry) {
    String path = entry.replaceFirst("^META-INF/versions/\\d+/", "");
    return path.substring(0, path.lastIndexOf('/') + 1).replace('/', '.');
  }

  private static Set<String> packages(JarFile jar) {
    Set<String> packages = new TreeSet<>();
    jar.stream()
        .map(entry -> entry.getName())
        .filter(name -> name.endsWith(".class") && !name.endsWith("module-info.class"))
        .forEach(name -> packages.add(packageOf(name)));
    return packages;
  }

  @Test
  void everyPackageIsOursOrRelocatedOrJni() throws IOException {
    try (JarFile jar = jar()) {
      assertThat(packages(jar))
          .contains(
              "dev.caldera.spark.",
              "dev.caldera.engine.",
              "dev.caldera.shaders.",
              "dev.caldera.shaded.jackson.databind.",
              "dev.caldera.shaded.jackson.core.",
              "dev.caldera.shaded.jackson.annotation.",
              "dev.caldera.shaded.gson.",
              "org.lwjgl.vulkan.",
              "ai.djl.huggingface.tokenizers.jni.")
          .allMatch(name -> name.startsWith(LOGGING) || OURS.stream().anyMatch(name::startsWith));
    }
  }

  @Test
  void nothingOfItIsOnSparksClassPath() throws IOException {
    Set<String> ours;
    try (JarFile jar = jar()) {
      ours = packages(jar);
      ours.removeIf(name -> name.startsWith(LOGGING));
    }
    for (Path other : SparkHome.jarsOnClassPath()) {
      try (JarFile jar = new JarFile(other.toFile())) {
        assertThat(packages(jar)).as(other.toString()).doesNotContainAnyElementsOf(ours);
      }
    }
  }

  @Test
  void nativesShadersServicesAndLicencesAreThere() throws IOException {
    try (JarFile jar = jar()) {
      assertThat(jar.getEntry("linux/x64/org/lwjgl/liblwjgl.so")).isNotNull();
      assertThat(jar.getEntry("linux/arm64/org/lwjgl/liblwjgl.so")).isNotNull();
      assertThat(jar.getEntry("native/lib/linux-x86_64/cpu/libtokenizers.so")).isNotNull();
      assertThat(jar.getEntry("native/lib/linux-aarch64/cpu/libtokenizers.so")).isNotNull();
      assertThat(jar.stream().filter(entry -> entry.getName().endsWith(".spv"))).isNotEmpty();
      assertThat(text(jar, "META-INF/services/dev.caldera.backend.Backend"))
          .contains("dev.caldera.backend.vulkan.VulkanBackend")
          .contains("dev.caldera.backend.cpu.CpuBackend");
      assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License");
      assertThat(text(jar, "META-INF/NOTICE"))
          .contains("Lightweight Java Game Library")
          .contains("Deep Java Library")
          .contains("Jackson")
          .contains("Gson");
    }
  }

  private static String text(JarFile jar, String entry) throws IOException {
    return new String(
        jar.getInputStream(jar.getEntry(entry)).readAllBytes(), StandardCharsets.UTF_8);
  }
}
