package dev.caldera.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HostTensorTest {

  @ParameterizedTest
  @EnumSource(DType.class)
  void everyTypeSurvivesMemory(DType dtype) {
    double[] values = dtype == DType.BOOL ? new double[] {0, 1, 1} : new double[] {0, 1, 96};
    HostTensor tensor = HostTensor.of(dtype, values, 3);
    TensorData data = tensor.toData();
    assertThat(data.byteSize()).isEqualTo(3L * dtype.bytes());
    HostTensor read = HostTensor.read(tensor.type(), data);
    for (int i = 0; i < 3; i++) {
      assertThat(read.valueAt(i)).isEqualTo(values[i]);
    }
  }

  @Test
  void readsInPieces() {
    HostTensor tensor = RandomTensors.normal(3, 100_003);
    assertThat(HostTensor.read(tensor.type(), tensor.toData()).toFloats())
        .isEqualTo(tensor.toFloats());
  }

  @Test
  void refusesWhatDoesNotFit() {
    assertThatThrownBy(() -> HostTensor.floats(new float[3], 2, 2))
        .hasMessage("Cannot make a tensor of dims [2, 2]: it has 4 elements, but 3 are given");
    assertThatThrownBy(() -> HostTensor.integers(DType.U8, new long[] {256}, 1))
        .hasMessage("Cannot hold 256 in an element of type U8");
    assertThatThrownBy(
            () ->
                HostTensor.read(
                    new TensorType(DType.F32, Shape.fixed(2)), TensorData.of(1f, 2f, 3f)))
        .hasMessage("Cannot read a tensor of f32[2]: it takes 8 bytes, but the data has 12");
    assertThatThrownBy(() -> HostTensor.floats(new float[0], 1L << 20, 1L << 20))
        .hasMessageContaining("more than 2^31 elements");
  }

  @Test
  void nmse() {
    HostTensor reference = HostTensor.floats(new float[] {3, 4}, 2);
    assertThat(reference.nmse(reference)).isZero();
    assertThat(HostTensor.floats(new float[] {3, 4.5f}, 2).nmse(reference)).isEqualTo(0.01);
    assertThat(HostTensor.floats(new float[] {3, Float.NaN}, 2).nmse(reference)).isInfinite();
  }

  @Test
  void halfFloatsRoundToNearestEven() {
    assertThat(HalfFloats.fromF16(HalfFloats.toF16(1 + 1f / 2048))).isEqualTo(1);
    assertThat(HalfFloats.fromF16(HalfFloats.toF16(1 + 3f / 2048))).isEqualTo(1 + 2f / 1024);
    assertThat(HalfFloats.fromF16(HalfFloats.toF16(65519.996f))).isEqualTo(65504);
    assertThat(HalfFloats.fromF16(HalfFloats.toF16(-1e6f))).isEqualTo(Float.NEGATIVE_INFINITY);
    assertThat(HalfFloats.fromBf16(HalfFloats.toBf16(1 + 1f / 256))).isEqualTo(1);
    assertThat(HalfFloats.fromBf16(HalfFloats.toBf16(Float.NaN))).isNaN();
    for (int bits = 0; bits < 1 << 16; bits++) {
      float value = HalfFloats.fromF16((short) bits);
      if (!Float.isNaN(value)) {
        assertThat(HalfFloats.toF16(value)).isEqualTo((short) bits);
      }
    }
  }

  @Test
  void dataChecksItsRange() {
    TensorData data = TensorData.of(1, 2, 3);
    ByteBuffer target = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    data.read(4, target);
    assertThat(target.flip().getInt()).isEqualTo(2);
    assertThatThrownBy(() -> data.read(5, ByteBuffer.allocate(8)))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> data.read(-1, ByteBuffer.allocate(1)))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
