package dev.caldera.spark.it;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * A Spark as users have it, made of the jars of this build's class path: a folder whose {@code
 * jars/} links to every jar of Spark. Jobs start in it as {@code spark-submit} starts them.
 */
final class SparkHome implements AutoCloseable {
  private static final List<String> NOT_SPARKS =
      List.of(
          "caldera-",
          "lwjgl",
          "tokenizers-",
          "api-0.38",
          "jna-",
          "junit-",
          "assertj-",
          "archunit",
          "byte-buddy-",
          "langchain4j-",
          "opentest4j-",
          "apiguardian-",
          "jspecify-",
          "surefire",
          "onnxruntime-");
  private static final int MINUTES = 6;

  private final Path folder;

  private SparkHome(Path folder) {
    this.folder = folder;
  }

  /** The jars of this JVM's class path that a Spark installation has. */
  static List<Path> jarsOnClassPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(path -> path.toString().endsWith(".jar"))
        .filter(path -> NOT_SPARKS.stream().noneMatch(path.getFileName().toString()::startsWith))
        .toList();
  }

  /** Makes one in an empty folder. */
  static SparkHome in(Path folder) throws IOException {
    Path jars = Files.createDirectories(folder.resolve("jars"));
    for (Path jar : jarsOnClassPath()) {
      Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar.toAbsolutePath());
    }
    return new SparkHome(folder);
  }

  /** A jar with the classes of this package. */
  Path jobJar() throws IOException {
    Path classes = Path.of("target/test-classes");
    Path jar = folder.resolve("job.jar");
    String inside = SparkHome.class.getPackageName().replace('.', '/');
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> found = Files.walk(classes.resolve(inside))) {
      for (Path file : found.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        copy(file, out);
        out.closeEntry();
      }
    }
    return jar;
  }

  private static void copy(Path file, OutputStream out) throws IOException {
    out.write(Files.readAllBytes(file));
  }

  /**
   * Submits a job with the shaded jar: its standard output, then its log.
   *
   * @param arguments options of spark-submit, the job's jar, and its arguments
   */
  Output submit(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(org.apache.spark.launcher.JavaModuleOptions.defaultModuleOptions().split(" ")));
    command.addAll(List.of("-Xmx1g", "-cp", folder.resolve("jars") + "/*"));
    command.add("org.apache.spark.deploy.SparkSubmit");
    command.addAll(List.of("--jars", System.getProperty("caldera.shaded.jar")));
    command.addAll(arguments);
    Path out = folder.resolve("out.txt");
    Path log = folder.resolve("log.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(log.toFile());
    builder.environment().put("SPARK_HOME", folder.toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    Process process = builder.start();
    try {
      boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
      return new Output(
          ended ? process.exitValue() : -1,
          Files.readString(out, StandardCharsets.UTF_8),
          Files.readString(log, StandardCharsets.UTF_8));
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** Deletes the folder; what its links lead to stays. */
  @Override
  public void close() throws IOException {
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path path : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /**
   * What a job left.
   *
   * @param exitCode -1 if it did not end in time
   * @param out its standard output
   * @param log its standard error
   */
  record Output(int exitCode, String out, String log) {
    List<String> lines(String prefix) {
      return out.lines()
          .filter(line -> line.startsWith(prefix))
          .map(line -> line.substring(prefix.length()))
          .toList();
    }
  }
}
