package dev.caldera.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.graph.DType;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorData;
import dev.caldera.graph.TensorType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LayoutPackerTest {
  private static final List<Layout> LAYOUTS =
      List.of(
          Layout.rowMajor(),
          new Layout.ColumnBlocks(1),
          new Layout.ColumnBlocks(8),
          new Layout.Panels(5),
          new Layout.Panels(32));

  @Test
  void everyElementHasOnePlaceOfItsOwn() {
    for (Layout layout : LAYOUTS) {
      for (int columns = 1; columns < 40; columns += 3) {
        Set<Long> places = new HashSet<>();
        for (int row = 0; row < 7; row++) {
          for (int column = 0; column < columns; column++) {
            places.add(layout.index(row, column, 7, columns));
          }
        }
        assertThat(places).as("%s of %d columns", layout, columns).hasSize(7 * columns);
        assertThat(places).allMatch(place -> place >= 0);
        long most = layout.elements(7, columns);
        assertThat(places).allMatch(place -> place < most);
      }
    }
  }

  @Test
  void packedDataStandsWhereTheLayoutSaysAndPaddingIsZero() {
    for (Layout layout : LAYOUTS) {
      for (int columns : new int[] {1, 5, 8, 31, 32, 33}) {
        float[] values = ramp(6 * columns);
        float[] packed =
            floats(
                LayoutPacker.pack(
                    HostTensor.floats(values, 6, columns).toData(), f32(6, columns), layout));
        assertThat(packed).hasSize((int) layout.elements(6, columns));
        for (int row = 0; row < 6; row++) {
          for (int column = 0; column < columns; column++) {
            int place = (int) layout.index(row, column, 6, columns);
            assertThat(packed[place]).isEqualTo(values[row * columns + column]);
            packed[place] = 0;
          }
        }
        assertThat(packed).as("padding of %s", layout).containsOnly(0);
      }
    }
  }

  @Test
  void anyPieceOfPackedDataIsThatPieceOfTheWhole() {
    Random random = new Random(1);
    float[] values = ramp(9 * 21);
    TensorData packed =
        LayoutPacker.pack(
            HostTensor.floats(values, 9, 21).toData(), f32(9, 21), new Layout.Panels(16));
    byte[] whole = bytes(packed, 0, (int) packed.byteSize());
    for (int i = 0; i < 500; i++) {
      int start = random.nextInt(whole.length);
      int length = random.nextInt(whole.length - start + 1);
      assertThat(bytes(packed, start, length))
          .isEqualTo(Arrays.copyOfRange(whole, start, start + length));
    }
    assertThatThrownBy(() -> packed.read(packed.byteSize() - 1, ByteBuffer.allocate(2)))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void rowsMakeTheRoundThroughEveryLayout() {
    Random random = new Random(2);
    for (Layout layout : LAYOUTS) {
      for (DType dtype : List.of(DType.F32, DType.I64, DType.U8, DType.F16)) {
        int columns = 1 + random.nextInt(40);
        int rows = 5;
        byte[] dense = new byte[rows * columns * dtype.bytes()];
        random.nextBytes(dense);
        ByteBuffer packed = ByteBuffer.allocate((int) layout.bytes(dtype, 9, columns));
        LayoutPacker.copy(
            dtype,
            ByteBuffer.wrap(dense),
            Layout.rowMajor(),
            rows,
            packed,
            layout,
            9,
            rows,
            columns);
        ByteBuffer back = ByteBuffer.allocate(dense.length);
        LayoutPacker.copy(dtype, packed, layout, 9, back, Layout.rowMajor(), rows, rows, columns);
        assertThat(back.array()).as("%s of %s", layout, dtype).isEqualTo(dense);
      }
    }
  }

  @Test
  void wrongSizesAreErrorsBeforeAnythingIsCopied() {
    TensorData data = HostTensor.floats(new float[12], 3, 4).toData();
    assertThatThrownBy(() -> LayoutPacker.pack(data, f32(3, 5), new Layout.Panels(4)))
        .hasMessage(
            "Cannot pack a tensor of f32[3, 5] into panels of 4: its data has 48 bytes, which must"
                + " be 60");
    ByteBuffer small = ByteBuffer.allocate(8);
    Layout dense = Layout.rowMajor();
    assertThatThrownBy(() -> LayoutPacker.copy(DType.F32, small, dense, 2, small, dense, 2, 2, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> LayoutPacker.copy(DType.F32, small, dense, 1, small, dense, 1, 2, 2))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> new Layout.Panels(0))
        .hasMessage("Cannot lay out columns in blocks of 0: the width must be at least 1");
    assertThat(new Layout.Panels(8)).hasToString("panels of 8");
    assertThat(new Layout.ColumnBlocks(8)).hasToString("blocks of 8");
  }

  private static TensorType f32(long rows, long columns) {
    return new TensorType(DType.F32, Shape.fixed(rows, columns));
  }

  private static float[] ramp(int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = i + 1;
    }
    return values;
  }

  private static float[] floats(TensorData data) {
    float[] values = new float[(int) data.byteSize() / 4];
    ByteBuffer.wrap(bytes(data, 0, (int) data.byteSize()))
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .get(values);
    return values;
  }

  private static byte[] bytes(TensorData data, int start, int length) {
    byte[] bytes = new byte[length];
    data.read(start, ByteBuffer.wrap(bytes));
    return bytes;
  }
}
