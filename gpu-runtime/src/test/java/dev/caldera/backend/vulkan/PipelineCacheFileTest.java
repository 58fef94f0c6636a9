package dev.caldera.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PipelineCacheFileTest {
  private static final byte[] PAYLOAD = {1, 2, 3, 4, 5};

  @TempDir private Path folder;
  private PipelineCacheFile file;

  @BeforeEach
  void nameTheFile() {
    file = PipelineCacheFile.in(folder.resolve("cache"), "driver", "device");
  }

  @Test
  void whatWasWrittenIsRead() throws IOException {
    assertThat(file.read()).isEmpty();
    file.write(new byte[] {9});
    file.write(PAYLOAD);
    assertThat(file.read()).hasValueSatisfying(read -> assertThat(read).isEqualTo(PAYLOAD));
    try (Stream<Path> files = Files.list(file.path().toAbsolutePath().getParent())) {
      assertThat(files).as("no temporary file stays").containsExactly(file.path());
    }
  }

  @Test
  void aDamagedFileIsIgnored() throws IOException {
    file.write(PAYLOAD);
    byte[] good = Files.readAllBytes(file.path());
    for (int at = 0; at < good.length; at++) {
      byte[] bad = good.clone();
      bad[at] ^= 1;
      Files.write(file.path(), bad);
      assertThat(file.read()).as("byte %d is wrong", at).isEmpty();
    }
    for (int length = 0; length < good.length; length++) {
      Files.write(file.path(), java.util.Arrays.copyOf(good, length));
      assertThat(file.read()).as("%d bytes are left", length).isEmpty();
    }
  }

  @Test
  void aFolderThatCannotBeWrittenDoesNoHarm() throws IOException {
    Path blocked = Files.writeString(folder.resolve("blocked"), "a file, not a folder");
    PipelineCacheFile inside = PipelineCacheFile.in(blocked, "driver", "device");
    inside.write(PAYLOAD);
    assertThat(inside.read()).isEmpty();
  }
}
