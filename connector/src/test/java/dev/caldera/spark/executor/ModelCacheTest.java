package dev.caldera.spark.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.spark.ModelFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelCacheTest {
  @TempDir Path folder;
  private Path source;
  private ModelCache cache;

  @BeforeEach
  void makeModel() {
    source = ModelFolders.hollow(folder.resolve("model"));
    cache = new ModelCache(folder.resolve("cache"), new Configuration());
  }

  private ModelReference reference() throws IOException {
    List<ModelFile> files = new ArrayList<>();
    try (Stream<Path> found = Files.walk(source)) {
      for (Path file : found.filter(Files::isRegularFile).sorted().toList()) {
        files.add(
            new ModelFile(
                source.relativize(file).toString(),
                Files.size(file),
                Files.getLastModifiedTime(file).toMillis()));
      }
    }
    return new ModelReference("m", source.toUri().toString(), files);
  }

  private List<String> cached() throws IOException {
    try (Stream<Path> found = Files.list(folder.resolve("cache"))) {
      return found.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void copiesEveryFileOnce() throws IOException {
    ModelReference model = reference();
    Path copy = cache.folder(model);
    assertThat(copy.resolve("1_Pooling/config.json"))
        .hasSameTextualContentAs(source.resolve("1_Pooling/config.json"));
    assertThat(copy.resolve("model.onnx")).hasSameBinaryContentAs(source.resolve("model.onnx"));
    assertThat(cached()).containsExactly(model.revision());
    Files.delete(source.resolve("model.onnx"));
    assertThat(cache.folder(model)).isEqualTo(copy);
    if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      assertThat(Files.getPosixFilePermissions(folder.resolve("cache"))).hasSize(3);
    }
  }

  @Test
  void manyThreadsGetOneCopy() throws Exception {
    ModelReference model = reference();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Path>> wanted = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        ModelCache other =
            i % 2 == 0 ? cache : new ModelCache(folder.resolve("cache"), new Configuration());
        wanted.add(() -> other.folder(model));
      }
      for (Future<Path> path : threads.invokeAll(wanted)) {
        assertThat(path.get()).isEqualTo(folder.resolve("cache").resolve(model.revision()));
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(cached()).containsExactly(model.revision());
  }

  @Test
  void aChangedFileIsAnotherRevision() throws IOException {
    String before = reference().revision();
    Files.writeString(source.resolve("model.onnx"), "another graph");
    assertThat(reference().revision()).isNotEqualTo(before).hasSize(16);
  }

  @Test
  void aHalfWrittenFolderIsReplaced() throws IOException {
    ModelReference model = reference();
    Path copy = cache.folder(model);
    Files.writeString(copy.resolve("model.onnx"), "cut");
    assertThat(cache.folder(model).resolve("model.onnx")).hasContent("no graph");
    assertThat(cached()).containsExactly(model.revision());
  }

  @Test
  void aFileThatShrankIsAnErrorAndLeavesNothing() throws IOException {
    ModelReference model = reference();
    Files.writeString(source.resolve("model.onnx"), "cut");
    assertThatThrownBy(() -> cache.folder(model))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("Cannot copy ")
        .hasMessageEndingWith(
            "/model.onnx of model m: it had 8 bytes when the query was analysed and has 3 now; run"
                + " the query again once the file is complete");
    Files.delete(source.resolve("model.onnx"));
    assertThatThrownBy(() -> cache.folder(model))
        .hasMessageStartingWith("Cannot copy ")
        .hasMessageContaining("/model.onnx of model m to ");
    assertThat(cached()).isEmpty();
  }
}
