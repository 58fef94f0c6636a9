package dev.caldera.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.UnaryOperator;

/**
 * Bytes on their way from the device. They can be read once the {@link Transfer}'s submission has
 * completed, and until the transfer is closed.
 */
public final class Readback {
  private final Transfer transfer;
  private final ByteBuffer staged;
  private final UnaryOperator<ByteBuffer> conversion;

  Readback(Transfer transfer, ByteBuffer staged, UnaryOperator<ByteBuffer> conversion) {
    this.transfer = transfer;
    this.staged = staged;
    this.conversion = conversion;
  }

  /**
   * The bytes, little-endian.
   *
   * @throws IllegalStateException if the submission has not completed, or the transfer is closed
   */
  public ByteBuffer bytes() {
    transfer.checkReadable();
    return conversion.apply(staged.duplicate().order(ByteOrder.LITTLE_ENDIAN));
  }

  /** The bytes as F32 values. */
  public float[] floats() {
    var values = bytes().asFloatBuffer();
    float[] result = new float[values.remaining()];
    values.get(result);
    return result;
  }

  /** Copies the bytes as F32 values into {@code target} from index {@code at} on. */
  public void floats(float[] target, int at) {
    var values = bytes().asFloatBuffer();
    values.get(target, at, values.remaining());
  }

  /** The bytes as I32 values. */
  public int[] ints() {
    var values = bytes().asIntBuffer();
    int[] result = new int[values.remaining()];
    values.get(result);
    return result;
  }

  /** The bytes as I64 values. */
  public long[] longs() {
    var values = bytes().asLongBuffer();
    long[] result = new long[values.remaining()];
    values.get(result);
    return result;
  }
}
