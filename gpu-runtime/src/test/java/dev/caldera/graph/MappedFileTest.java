package dev.caldera.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedFileTest {

  @TempDir Path folder;

  @Test
  void readsAcrossWindows() throws IOException {
    byte[] bytes = new byte[100];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    Path path = Files.write(folder.resolve("data"), bytes);
    MappedFile file = MappedFile.open(path, 4);
    for (int offset = 0; offset <= 100; offset++) {
      ByteBuffer target = ByteBuffer.allocate(100 - offset);
      file.read(offset, target);
      assertThat(target.array()).isEqualTo(java.util.Arrays.copyOfRange(bytes, offset, 100));
    }
    MappedFile slice = file.slice(15, 3);
    assertThat(slice.byteSize()).isEqualTo(3);
    assertThat(slice.get(2)).isEqualTo((byte) 17);
    assertThatThrownBy(() -> slice.get(3)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> slice.slice(2, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> slice.read(2, ByteBuffer.allocate(2)))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void readsBehindTwoGibibytes() throws IOException {
    Path path = folder.resolve("sparse");
    long size = (5L << 30) + 7;
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(size);
      file.seek(size - 4);
      file.write(new byte[] {1, 2, 3, 4});
      file.seek((3L << 30) - 2);
      file.write(new byte[] {5, 6, 7, 8});
    }
    MappedFile file = MappedFile.open(path);
    assertThat(file.byteSize()).isEqualTo(size);
    ByteBuffer target = ByteBuffer.allocate(4);
    file.read(size - 4, target);
    assertThat(target.array()).containsExactly(1, 2, 3, 4);
    file.read((3L << 30) - 2, target.clear());
    assertThat(target.array()).containsExactly(5, 6, 7, 8);
  }

  @Test
  void anEmptyFileIsAnEmptyRange() throws IOException {
    MappedFile file = MappedFile.open(Files.createFile(folder.resolve("empty")));
    assertThat(file.byteSize()).isZero();
    assertThatThrownBy(() -> file.get(0)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
