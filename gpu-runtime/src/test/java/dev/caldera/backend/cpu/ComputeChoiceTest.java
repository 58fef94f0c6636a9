package dev.caldera.backend.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComputeChoiceTest {

  @Test
  void takesVectorsWhereTheModuleIs() throws Exception {
    String output = choose("--add-modules", "jdk.incubator.vector");
    assertThat(output).containsPattern("CPU kernels: Vector API, (16|8|4) lanes");
  }

  @Test
  void takesLoopsWithoutTheModuleAndSaysHowToAddIt() throws Exception {
    assertThat(choose())
        .contains(
            "CPU kernels: plain loops, at a third of the speed or less, because the JVM runs without"
                + " the Vector API: add --add-modules jdk.incubator.vector to its options");
  }

  @Test
  void takesLoopsWhereVectorsAreNotCompiled() throws Exception {
    String output = choose("--add-modules", "jdk.incubator.vector", "-XX:TieredStopAtLevel=1");
    assertThat(output)
        .contains("CPU kernels: plain loops", "let the JVM use its second compiler (no -Xint");
  }

  /** What a JVM of its own logs when it chooses. */
  private static String choose(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(ComputeChoiceTest.class.getName());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  /** Chooses, which logs. */
  public static void main(String[] arguments) {
    ComputeChoice.chosen();
  }
}
