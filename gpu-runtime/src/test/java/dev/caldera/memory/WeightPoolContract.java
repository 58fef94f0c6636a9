package dev.caldera.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.graph.DType;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorData;
import dev.caldera.graph.TensorType;
import dev.caldera.plan.Layout;
import dev.caldera.plan.Operand;
import dev.caldera.plan.WeightKey;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a {@link WeightPool} over copied weights does on every device. */
public abstract class WeightPoolContract extends MemoryContract {
  /** Bytes of {@link #record}; with slack and alignment 1,280. */
  private static final int BYTES = 1000;

  private static final int EXTENT = 1280;

  private StagingPool staging;

  @BeforeEach
  void openStaging() {
    staging = new StagingPool(device, 32 << 20);
  }

  @AfterEach
  void closeStaging() {
    if (staging != null) {
      staging.close();
    }
  }

  @Test
  void weightsArriveAndShareOneBuffer() throws Exception {
    try (WeightPool pool = WeightPool.copied(device, staging, 1 << 20);
        WeightPool.Lease lease = pool.open(model("a", 7))) {
      DeviceBuffer buffer = lease.range(key("a", 0)).buffer();
      for (int i = 0; i < 7; i++) {
        BufferRange range = lease.range(key("a", i));
        assertThat(range.buffer()).isSameAs(buffer);
        assertThat(range.offset() % 256).isZero();
        assertThat(range.bytes()).isEqualTo(BYTES);
        assertThat(read(range)).isEqualTo(content("a", i));
      }
      assertThat(buffer.bytes()).isEqualTo(7 * EXTENT);
      assertThat(pool.bytes("a")).isEqualTo(7 * BYTES);
      assertThat(pool.uploads("a")).isEqualTo(1);
    }
  }

  @Test
  void aWeightIsPrepackedInTheWantedLayout() throws Exception {
    Layout panels = new Layout.Panels(4);
    TensorType type = new TensorType(DType.F32, Shape.fixed(3, 6));
    Operand.WeightOperand weight =
        new Operand.WeightOperand(new WeightKey("a", "w", panels), type, panels);
    ByteBuffer values = ByteBuffer.allocate(72).order(ByteOrder.LITTLE_ENDIAN);
    values.asFloatBuffer().put(ramp(18));
    try (WeightPool pool = WeightPool.copied(device, staging, 1 << 20);
        WeightPool.Lease lease =
            pool.open(List.of(WeightRecord.of(weight, new BytesData(values.array()))))) {
      ByteBuffer packed =
          ByteBuffer.wrap(read(lease.range(weight.key()))).order(ByteOrder.LITTLE_ENDIAN);
      float[] floats = new float[24];
      packed.asFloatBuffer().get(floats);
      assertThat(floats)
          .containsExactly(
              0.25f, 1.25f, 2.25f, 3.25f, 6.25f, 7.25f, 8.25f, 9.25f, 12.25f, 13.25f, 14.25f,
              15.25f, 4.25f, 5.25f, 0, 0, 10.25f, 11.25f, 0, 0, 16.25f, 17.25f, 0, 0);
    }
  }

  @Test
  void aLargeWeightIsUploadedInPieces() throws Exception {
    byte[] large = new byte[9 << 20];
    for (int i = 0; i < large.length; i += 4093) {
      large[i] = (byte) i;
    }
    WeightKey key = key("a", 0);
    try (WeightPool pool = WeightPool.copied(device, staging, 16 << 20);
        WeightPool.Lease lease = pool.open(List.of(new WeightRecord(key, new BytesData(large))))) {
      assertThat(read(lease.range(key))).isEqualTo(large);
      assertThat(staging.bytes()).isLessThan(64 << 20);
    }
  }

  @Test
  void openingTwiceUploadsOnce() throws Exception {
    try (WeightPool pool = WeightPool.copied(device, staging, 1 << 20)) {
      WeightPool.Lease first = pool.open(model("a", 3));
      WeightPool.Lease second = pool.open(model("a", 3));
      assertThat(second.range(key("a", 2))).isEqualTo(first.range(key("a", 2)));
      first.close();
      second.close();
      pool.open(model("a", 3)).close();
      assertThat(pool.uploads("a")).isEqualTo(1);
      assertThat(pool.uploads("b")).isZero();
    }
  }

  @Test
  void theLeastRecentlyUsedGoesFirstOfWhateverModel() throws Exception {
    try (WeightPool pool = WeightPool.copied(device, staging, 3 * EXTENT)) {
      pool.open(model("a", 1)).close();
      pool.open(model("b", 1)).close();
      pool.open(model("c", 1)).close();
      pool.open(model("a", 1)).close();
      pool.open(model("d", 1)).close();
      assertThat(pool.holds(key("b", 0))).isFalse();
      assertThat(pool.holds(key("a", 0))).isTrue();
      assertThat(pool.holds(key("c", 0))).isTrue();
      try (WeightPool.Lease again = pool.open(model("b", 1))) {
        assertThat(read(again.range(key("b", 0)))).isEqualTo(content("b", 0));
      }
      assertThat(pool.holds(key("c", 0))).isFalse();
      assertThat(pool.uploads("b")).isEqualTo(2);
      assertThat(pool.uploads("a")).isEqualTo(1);
    }
  }

  @Test
  void whatIsUsedOrWasUsedInThisStepIsNeverEvicted() throws Exception {
    try (WeightPool pool = WeightPool.copied(device, staging, 3 * EXTENT)) {
      WeightPool.Lease used = pool.open(model("a", 2));
      long step = pool.nextStep();
      WeightPool.Acquisition first = pool.acquire(model("b", 1), step);
      assertThat(first.missing()).extracting(WeightRecord::key).containsExactly(key("b", 0));
      pool.load(pool.planReads(first));
      pool.finish(first).close();
      assertThatThrownBy(() -> pool.acquire(model("c", 1), step))
          .isInstanceOf(OutOfDeviceMemoryException.class)
          .hasMessage(
              "Cannot place 1 weights of model c in 1280 bytes: 3840 bytes of a budget of 3840 are"
                  + " in use");
      assertThat(pool.holds(key("b", 0))).isTrue();
      try (WeightPool.Lease next = pool.open(model("c", 1))) {
        assertThat(read(next.range(key("c", 0)))).isEqualTo(content("c", 0));
      }
      assertThat(pool.holds(key("b", 0))).isFalse();
      assertThat(pool.holds(key("a", 1))).isTrue();
      used.close();
    }
  }

  @Test
  void onlyWhatIsAbsentMustBeRead() throws Exception {
    try (WeightPool pool = WeightPool.copied(device, staging, 1 << 20)) {
      WeightPool.Lease present = pool.open(model("a", 2));
      WeightPool.Acquisition more = pool.acquire(model("a", 4), pool.nextStep());
      assertThat(more.missing())
          .extracting(record -> record.key().tensor())
          .containsExactly("w2", "w3");
      List<WeightRead> reads = pool.planReads(more);
      assertThat(reads).extracting(WeightRead::offset).containsOnly(0L);
      assertThat(reads.get(0).target().offset()).isLessThan(reads.get(1).target().offset());
      pool.load(reads);
      WeightPool.Lease lease = pool.finish(more);
      assertThat(read(lease.range(key("a", 3)))).isEqualTo(content("a", 3));
      assertThatThrownBy(() -> pool.finish(more))
          .hasMessageContaining("it was finished or failed before");
      lease.close();
      present.close();
    }
  }

  @Test
  void aFailedLoadGivesItsPlaceBack() throws Exception {
    TensorData broken =
        new TensorData() {
          @Override
          public long byteSize() {
            return BYTES;
          }

          @Override
          public void read(long offset, ByteBuffer target) {
            throw new IllegalStateException("the disk is gone");
          }
        };
    try (WeightPool pool = WeightPool.copied(device, staging, 2 * EXTENT)) {
      List<WeightRecord> records = List.of(record("a", 1), new WeightRecord(key("a", 0), broken));
      assertThatThrownBy(() -> pool.open(records)).hasMessage("the disk is gone");
      assertThat(pool.bytes("a")).isZero();
      assertThat(staging.lent()).isZero();
      try (WeightPool.Lease lease = pool.open(model("a", 2))) {
        assertThat(read(lease.range(key("a", 0)))).isEqualTo(content("a", 0));
      }
      assertThat(pool.uploads("a")).isEqualTo(1);
    }
  }

  @Test
  void gapsThatEvictedRecordsLeaveAreUsed() throws Exception {
    try (WeightPool pool = WeightPool.copied(device, staging, 4 * EXTENT)) {
      pool.open(model("a", 4)).close();
      WeightPool.Lease kept = pool.open(List.of(record("a", 0), record("a", 2)));
      try (WeightPool.Lease lease = pool.open(model("b", 2))) {
        assertThat(read(lease.range(key("b", 0)))).isEqualTo(content("b", 0));
        assertThat(read(lease.range(key("b", 1)))).isEqualTo(content("b", 1));
        assertThat(read(kept.range(key("a", 0)))).isEqualTo(content("a", 0));
        assertThat(read(kept.range(key("a", 2)))).isEqualTo(content("a", 2));
        assertThat(lease.range(key("b", 0)).buffer()).isSameAs(kept.range(key("a", 0)).buffer());
      }
      kept.close();
    }
  }

  @Test
  void errorsNameWhatIsWrong() throws Exception {
    try (WeightPool pool = WeightPool.copied(device, staging, EXTENT)) {
      byte[] large = new byte[2 * EXTENT];
      assertThatThrownBy(
              () -> pool.open(List.of(new WeightRecord(key("a", 9), new BytesData(large)))))
          .isInstanceOf(OutOfDeviceMemoryException.class)
          .hasMessageContaining("Cannot place 1 weights of model a in 2816 bytes");
      WeightPool.Lease lease = pool.open(model("a", 1));
      assertThatThrownBy(() -> lease.range(key("b", 0))).hasMessageContaining("it is not leased");
      lease.close();
      lease.close();
      assertThatThrownBy(() -> lease.range(key("a", 0)))
          .hasMessageContaining("the lease is closed");
    }
    assertThatThrownBy(() -> WeightPool.copied(device, staging, 0))
        .hasMessage("Cannot hold weights in 0 bytes: the budget must be positive");
  }

  @Test
  void closeFreesWhatIsUsedWhenItsLastLeaseIsClosed() throws Exception {
    WeightPool pool = WeightPool.copied(device, staging, 1 << 20);
    WeightPool.Lease lease = pool.open(model("a", 2));
    pool.open(model("b", 2)).close();
    pool.close();
    pool.close();
    assertThat(read(lease.range(key("a", 1)))).isEqualTo(content("a", 1));
    assertThatThrownBy(() -> pool.open(model("b", 2)))
        .hasMessage("Cannot acquire weights: the pool is closed");
    lease.close();
    staging.close();
    assertThat(liveBuffers()).isZero();
  }

  static WeightKey key(String model, int index) {
    return new WeightKey(model, "w" + index, Layout.rowMajor());
  }

  static WeightRecord record(String model, int index) {
    return new WeightRecord(key(model, index), new BytesData(content(model, index)));
  }

  static List<WeightRecord> model(String model, int records) {
    return IntStream.range(0, records).mapToObj(i -> record(model, i)).toList();
  }

  static byte[] content(String model, int index) {
    byte[] bytes = new byte[BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (model.charAt(0) * 31 + index * 7 + i);
    }
    return bytes;
  }

  private byte[] read(BufferRange range) throws InterruptedException {
    byte[] bytes = new byte[(int) range.bytes()];
    try (Commands commands = device.begin();
        Transfer transfer = staging.transfer(commands)) {
      Readback readback = transfer.readback(range);
      transfer.submit().await();
      readback.bytes().get(bytes);
    }
    return bytes;
  }

  /** Data in an array. */
  record BytesData(byte[] bytes) implements TensorData {
    @Override
    public long byteSize() {
      return bytes.length;
    }

    @Override
    public void read(long offset, ByteBuffer target) {
      Objects.checkFromIndexSize(offset, target.remaining(), bytes.length);
      target.put(bytes, (int) offset, target.remaining());
    }
  }
}
