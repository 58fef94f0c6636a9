package dev.caldera.graph;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A small tensor in the Java heap, row-major, for constant folding and for checking kernels.
 *
 * <p>Elements of a float type are held as {@code float}, all others as {@code long} (a BOOL as 0 or
 * 1). Immutable: arrays are copied on the way in and out.
 */
public final class HostTensor {

  private final DType dtype;
  private final long[] dims;
  // One of the two holds the elements, the other is empty.
  private final float[] floats;
  private final long[] longs;

  private HostTensor(DType dtype, long[] dims, float[] floats, long[] longs) {
    this.dtype = dtype;
    this.dims = dims;
    this.floats = floats;
    this.longs = longs;
    int size = elements(dims);
    int given = dtype.isFloat() ? floats.length : longs.length;
    if (size != given) {
      throw new IllegalArgumentException(
          "Cannot make a tensor of dims "
              + Arrays.toString(dims)
              + ": it has "
              + size
              + " elements, but "
              + given
              + " are given");
    }
  }

  /** An F32 tensor. */
  public static HostTensor floats(float[] values, long... dims) {
    return new HostTensor(DType.F32, dims.clone(), values.clone(), new long[0]);
  }

  /** An I32 tensor. */
  public static HostTensor ints(int[] values, long... dims) {
    return integers(DType.I32, Arrays.stream(values).asLongStream().toArray(), dims);
  }

  /**
   * A tensor of an integer type or BOOL.
   *
   * @throws ArithmeticException if a value is out of the type's range
   */
  public static HostTensor integers(DType dtype, long[] values, long... dims) {
    if (dtype.isFloat()) {
      throw new IllegalArgumentException("Cannot make an integer tensor of type " + dtype);
    }
    for (long value : values) {
      checkRange(dtype, value);
    }
    return new HostTensor(dtype, dims.clone(), new float[0], values.clone());
  }

  /** A tensor of any type; values are rounded to it, towards zero if it is an integer type. */
  static HostTensor of(DType dtype, double[] values, long... dims) {
    if (dtype.isFloat()) {
      float[] floats = new float[values.length];
      for (int i = 0; i < values.length; i++) {
        floats[i] = HalfFloats.round(dtype, (float) values[i]);
      }
      return new HostTensor(dtype, dims.clone(), floats, new long[0]);
    }
    return integers(dtype, Arrays.stream(values).mapToLong(v -> (long) v).toArray(), dims);
  }

  /**
   * Reads a constant.
   *
   * @param type its type; the shape must be fixed
   * @throws IllegalArgumentException if the shape is not fixed or the data has another size
   */
  public static HostTensor read(TensorType type, TensorData data) {
    if (!type.shape().isFixed()) {
      throw new IllegalArgumentException("Cannot read a tensor of " + type + ": its shape is open");
    }
    long[] dims = type.shape().evaluate(java.util.Map.of());
    int size = elements(dims);
    long bytes = (long) size * type.dtype().bytes();
    if (bytes != data.byteSize()) {
      throw new IllegalArgumentException(
          "Cannot read a tensor of "
              + type
              + ": it takes "
              + bytes
              + " bytes, but the data has "
              + data.byteSize());
    }
    return new HostTensorReader(type.dtype(), data).read(size, dims);
  }

  static HostTensor ofParts(DType dtype, long[] dims, float[] floats, long[] longs) {
    return new HostTensor(dtype, dims, floats, longs);
  }

  /** The elements in memory, row-major and little-endian. */
  public TensorData toData() {
    long bytes = (long) size() * dtype.bytes();
    ByteBuffer buffer = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < size(); i++) {
      switch (dtype) {
        case F32 -> buffer.putFloat(floats[i]);
        case F16 -> buffer.putShort(HalfFloats.toF16(floats[i]));
        case BF16 -> buffer.putShort(HalfFloats.toBf16(floats[i]));
        case I64 -> buffer.putLong(longs[i]);
        case I32 -> buffer.putInt((int) longs[i]);
        case I8, U8, BOOL -> buffer.put((byte) longs[i]);
      }
    }
    return TensorData.of(buffer.flip());
  }

  /** The element type. */
  public DType dtype() {
    return dtype;
  }

  /** Element type and (fixed) shape. */
  public TensorType type() {
    return new TensorType(dtype, Shape.fixed(dims));
  }

  /** The sizes, outermost first. */
  public long[] dims() {
    return dims.clone();
  }

  /** The number of dims. */
  public int rank() {
    return dims.length;
  }

  /** Size {@code axis}; a negative axis counts from the end. */
  public int dim(int axis) {
    return Math.toIntExact(dims[axis < 0 ? axis + dims.length : axis]);
  }

  /** The number of elements. */
  public int size() {
    return dtype.isFloat() ? floats.length : longs.length;
  }

  /** Element {@code index} in row-major order, of a float tensor. */
  public float floatAt(int index) {
    return floats[index];
  }

  /** Element {@code index} in row-major order, of an integer or BOOL tensor. */
  public long longAt(int index) {
    return longs[index];
  }

  /** Element {@code index} in row-major order, whatever the type. */
  public double valueAt(int index) {
    return dtype.isFloat() ? floats[index] : longs[index];
  }

  /** The elements of a float tensor. */
  public float[] toFloats() {
    return floats.clone();
  }

  /** The elements of an integer or BOOL tensor. */
  public long[] toLongs() {
    return longs.clone();
  }

  /** The same elements under other dims. */
  public HostTensor reshape(long... newDims) {
    return new HostTensor(dtype, newDims.clone(), floats, longs);
  }

  /**
   * The elements at {@code indices} under {@code newDims}: what every op that only moves elements
   * returns.
   */
  HostTensor pick(int[] indices, long... newDims) {
    if (dtype.isFloat()) {
      float[] picked = new float[indices.length];
      for (int i = 0; i < indices.length; i++) {
        picked[i] = floats[indices[i]];
      }
      return new HostTensor(dtype, newDims.clone(), picked, longs);
    }
    return new HostTensor(
        dtype, newDims.clone(), floats, Arrays.stream(indices).mapToLong(i -> longs[i]).toArray());
  }

  /**
   * Normalised mean squared error against {@code reference}: sum((this - reference)^2) /
   * sum(reference^2), 0 if both are all zeros, infinite if only the reference is or if an element
   * is not finite in only one of them.
   */
  public double nmse(HostTensor reference) {
    if (!Arrays.equals(dims, reference.dims)) {
      throw new IllegalArgumentException(
          "Cannot compare tensors of " + type() + " and " + reference.type());
    }
    double error = 0;
    double power = 0;
    for (int i = 0; i < size(); i++) {
      double expected = reference.valueAt(i);
      double actual = valueAt(i);
      if (Double.compare(expected, actual) == 0) {
        power += Double.isFinite(expected) ? expected * expected : 0;
      } else if (!Double.isFinite(expected) || !Double.isFinite(actual)) {
        return Double.POSITIVE_INFINITY;
      } else {
        error += (actual - expected) * (actual - expected);
        power += expected * expected;
      }
    }
    if (error == 0) {
      return 0;
    }
    return power == 0 ? Double.POSITIVE_INFINITY : error / power;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(type().toString()).append(" {");
    for (int i = 0; i < Math.min(size(), 8); i++) {
      text.append(i == 0 ? "" : ", ");
      if (dtype.isFloat()) {
        text.append(floats[i]);
      } else {
        text.append(longs[i]);
      }
    }
    return text.append(size() > 8 ? ", ...}" : "}").toString();
  }

  static int elements(long[] dims) {
    long size = 1;
    for (long dim : dims) {
      if (dim < 0) {
        throw new IllegalArgumentException(
            "Cannot make a tensor of dims " + Arrays.toString(dims) + ": a dim is negative");
      }
      size = Math.multiplyExact(size, dim);
    }
    if (size > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "Cannot make a tensor of dims "
              + Arrays.toString(dims)
              + " on the host: more than 2^31 elements");
    }
    return (int) size;
  }

  private static void checkRange(DType dtype, long value) {
    boolean fits =
        switch (dtype) {
          case I32 -> value == (int) value;
          case I8 -> value == (byte) value;
          case U8 -> value == (value & 0xff);
          case BOOL -> value == 0 || value == 1;
          case I64, F32, F16, BF16 -> true;
        };
    if (!fits) {
      throw new ArithmeticException("Cannot hold " + value + " in an element of type " + dtype);
    }
  }
}
