package dev.caldera.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.memory.MappedWeights.FileRange;
import dev.caldera.plan.WeightKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Weights that are resident over a mapped file, under the same pool. */
class MappedWeightsTest {
  @TempDir Path folder;
  private Path file;
  private final Map<WeightKey, FileRange> ranges = new LinkedHashMap<>();

  @BeforeEach
  void writeFile() throws IOException {
    file = folder.resolve("experts.bin");
    ByteBuffer bytes = ByteBuffer.allocate(4 * 1000);
    for (int i = 0; i < 4; i++) {
      ranges.put(WeightPoolContract.key("m", i), new FileRange(1000L * i, 1000));
      bytes.put(WeightPoolContract.content("m", i));
    }
    Files.write(file, bytes.array());
  }

  @Test
  void expertsComeAndGoWithinTheBudget() throws Exception {
    MappedWeights mapped = new MappedWeights(file, ranges, 2000);
    try (WeightPool pool = new WeightPool(mapped)) {
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 4; i++) {
          WeightKey key = WeightPoolContract.key("m", i);
          try (WeightPool.Lease lease = pool.open(List.of(mapped.record(key)))) {
            byte[] bytes = new byte[1000];
            lease.range(key).buffer().mapped().get(bytes);
            assertThat(bytes).isEqualTo(WeightPoolContract.content("m", i));
          }
          assertThat(pool.bytes("m")).isLessThanOrEqualTo(2000);
        }
      }
      assertThat(pool.uploads("m")).isEqualTo(2);
    }
  }

  @Test
  void aRecordReadsTheSameBytesFromTheFile() throws Exception {
    try (MappedWeights mapped = new MappedWeights(file, ranges, 4000)) {
      ByteBuffer part = ByteBuffer.allocate(10);
      WeightRecord record = mapped.record(WeightPoolContract.key("m", 2));
      record.data().read(5, part);
      byte[] expected = new byte[10];
      System.arraycopy(WeightPoolContract.content("m", 2), 5, expected, 0, 10);
      assertThat(part.array()).isEqualTo(expected);
      assertThatThrownBy(() -> record.data().read(995, ByteBuffer.allocate(10)))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void aMappingIsNotReadAfterItsEviction() throws Exception {
    MappedWeights mapped = new MappedWeights(file, ranges, 1000);
    try (WeightPool pool = new WeightPool(mapped)) {
      WeightKey key = WeightPoolContract.key("m", 0);
      WeightPool.Lease lease = pool.open(List.of(mapped.record(key)));
      BufferRange range = lease.range(key);
      lease.close();
      pool.open(List.of(mapped.record(WeightPoolContract.key("m", 1)))).close();
      assertThatThrownBy(() -> range.buffer().mapped())
          .hasMessage("Cannot read a weight: its mapping was given back");
    }
  }

  @Test
  void wrongRangesAndForeignRecordsAreErrors() throws Exception {
    WeightKey key = WeightPoolContract.key("m", 0);
    assertThatThrownBy(
            () -> new MappedWeights(file, Map.of(key, new FileRange(3500, 1000)), 1 << 20))
        .hasMessageContaining("Cannot map weight w0 of")
        .hasMessageContaining("bytes 3500 to 4500 must lie in the file's 4000");
    MappedWeights mapped = new MappedWeights(file, ranges, 4000);
    try (WeightPool pool = new WeightPool(mapped)) {
      assertThatThrownBy(() -> mapped.record(WeightPoolContract.key("x", 9)))
          .hasMessageContaining("Cannot find weight w9 in");
      assertThatThrownBy(() -> pool.open(WeightPoolContract.model("x", 1)))
          .hasMessageContaining("Cannot place weight w0: it is not a record of");
    }
  }
}
