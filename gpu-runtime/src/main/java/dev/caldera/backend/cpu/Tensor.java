package dev.caldera.backend.cpu;

import dev.caldera.graph.DType;

/**
 * A row-major tensor of any element type in an array, of its actual size in one run. Elements are
 * addressed by their row-major index.
 */
final class Tensor {
  private final DType dtype;
  private final long[] shape;
  private final float[] data;
  private final int at;
  private final int firstByte;

  /**
   * A tensor.
   *
   * @param offset bytes from the array's {@link CpuBuffer#FIRST} element to the first element
   */
  Tensor(DType dtype, long[] shape, float[] data, long offset) {
    this.dtype = dtype;
    this.shape = shape;
    this.data = data;
    this.at = CpuBuffer.FIRST + (int) (offset / Float.BYTES);
    this.firstByte = (int) (offset % Float.BYTES);
  }

  DType dtype() {
    return dtype;
  }

  int rank() {
    return shape.length;
  }

  /** Size of a dim. */
  int dim(int axis) {
    return (int) shape[axis];
  }

  /** The product of dims [from, to). */
  int product(int from, int to) {
    long product = 1;
    for (int axis = from; axis < to; axis++) {
      product *= shape[axis];
    }
    return Math.toIntExact(product);
  }

  /** The number of elements. */
  int size() {
    return product(0, rank());
  }

  /** The element as a floating-point number. */
  double real(int index) {
    return dtype == DType.F32 ? data[at + index] : whole(index);
  }

  /** The element as an integer; a float is cut towards zero. */
  long whole(int index) {
    switch (dtype) {
      case F32:
        return (long) data[at + index];
      case I64:
        return Bits.getLong(data, at + 2 * index);
      case I32:
        return Bits.getInt(data, at + index);
      case I8:
        return Bits.getByte(data, at, firstByte + index);
      case U8:
      case BOOL:
        return Bits.getByte(data, at, firstByte + index) & 0xff;
      case F16:
      case BF16:
      default:
        throw unsupported();
    }
  }

  /** Sets the element from a floating-point number; to an integer type it is cut towards zero. */
  void setReal(int index, double value) {
    if (dtype == DType.F32) {
      data[at + index] = (float) value;
    } else {
      setWhole(index, (long) value);
    }
  }

  /** Sets the element from an integer. */
  void setWhole(int index, long value) {
    switch (dtype) {
      case F32:
        data[at + index] = value;
        break;
      case I64:
        Bits.putLong(data, at + 2 * index, value);
        break;
      case I32:
        Bits.putInt(data, at + index, (int) value);
        break;
      case I8:
      case U8:
      case BOOL:
        Bits.putByte(data, at, firstByte + index, (byte) value);
        break;
      case F16:
      case BF16:
      default:
        throw unsupported();
    }
  }

  /** Copies an element of a tensor of the same type, bit for bit. */
  void set(int index, Tensor source, int sourceIndex) {
    if (dtype == DType.F32) {
      data[at + index] = source.data[source.at + sourceIndex];
    } else {
      setWhole(index, source.whole(sourceIndex));
    }
  }

  private IllegalStateException unsupported() {
    return new IllegalStateException("Cannot read or write elements of type " + dtype);
  }

  /** The row-major index in this tensor for one in a shape that it is broadcast to. */
  int broadcast(Tensor to, int index) {
    int result = 0;
    int stride = 1;
    int rest = index;
    int axis = rank() - 1;
    for (int outer = to.rank() - 1; axis >= 0; outer--, axis--) {
      int size = to.dim(outer);
      if (dim(axis) != 1) {
        result += rest % size * stride;
        stride *= dim(axis);
      }
      rest /= size;
    }
    return result;
  }
}
