package dev.caldera.spark.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.spark.ModelFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The shaded jar in a local Spark and in a cluster: a model is uploaded once an executor. */
class ClusterIT {
  private static final Path FOLDER = Path.of("target").toAbsolutePath();

  private static SparkHome.Output run(String master, int executors, String device, Path model)
      throws IOException, InterruptedException {
    try (SparkHome home = SparkHome.in(Files.createTempDirectory(FOLDER, "spark-home-"))) {
      return home.submit(arguments(home, master, executors, device, model));
    }
  }

  private static List<String> arguments(
      SparkHome home, String master, int executors, String device, Path model) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("--master", master, "--class", EmbedJob.class.getName()));
    for (String setting :
        List.of(
            "spark.plugins=dev.caldera.spark.CalderaPlugin",
            "spark.caldera.device=" + device,
            "spark.caldera.cache.dir=" + FOLDER.resolve("it-cache"),
            "spark.caldera.model.minilm.uri=" + model.toUri(),
            "spark.driver.host=127.0.0.1",
            "spark.ui.enabled=false",
            "spark.executor.memory=1g")) {
      arguments.add("--conf");
      arguments.add(setting);
    }
    arguments.add(home.jobJar().toString());
    arguments.add(Integer.toString(executors));
    return arguments;
  }

  @Test
  void localMode() throws IOException, InterruptedException {
    SparkHome.Output output = run("local[2]", 1, "cpu", ModelFolders.miniLm());
    assertThat(output.exitCode()).as(output.log()).isZero();
    assertThat(output.lines("ROWS ")).containsExactly("400");
    assertThat(output.lines("WIDTH ")).containsExactly("384");
    assertThat(output.lines("NORMALIZED ")).containsExactly("true");
    assertThat(output.lines("UPLOADS ")).containsExactly("driver 1");
    assertThat(output.log()).contains("Caldera computes on device");
  }

  @Test
  void aClusterOfTwoExecutors() throws IOException, InterruptedException {
    SparkHome.Output output = run("local-cluster[2,1,1024]", 3, "cpu", ModelFolders.miniLm());
    assertThat(output.exitCode()).as(output.log()).isZero();
    assertThat(output.lines("ROWS ")).containsExactly("400");
    assertThat(output.lines("NORMALIZED ")).containsExactly("true");
    assertThat(output.lines("UPLOADS ")).containsExactlyInAnyOrder("0 1", "1 1");
    assertThat(output.log())
        .contains("Caldera on executor 0 computes on device")
        .contains("Caldera on executor 1 computes on device");
  }

  @Test
  void anUnknownDeviceStopsTheStart() throws IOException, InterruptedException {
    SparkHome.Output output = run("local[2]", 1, "vulkan:no such device", ModelFolders.miniLm());
    assertThat(output.exitCode()).isNotZero();
    assertThat(output.log())
        .contains(
            "Cannot select device vulkan:no such device: no Vulkan device has this UUID, PCI"
                + " address or part of its name");
    assertThat(output.lines("ROWS ")).isEmpty();
  }
}
