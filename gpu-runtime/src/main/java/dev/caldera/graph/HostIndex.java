package dev.caldera.graph;

import java.util.Arrays;

/** Row-major index arithmetic of the host rules, an index table an operand. */
final class HostIndex {

  private HostIndex() {}

  /** Row-major strides, in elements. */
  static long[] strides(long[] dims) {
    long[] strides = new long[dims.length];
    long stride = 1;
    for (int i = dims.length - 1; i >= 0; i--) {
      strides[i] = stride;
      stride *= dims[i];
    }
    return strides;
  }

  /** For each element of a tensor of {@code dims}: the sum of its coordinates times strides. */
  static int[] walk(long[] dims, long[] strides, long base) {
    int[] indices = new int[HostTensor.elements(dims)];
    long[] at = new long[dims.length];
    long index = base;
    for (int i = 0; i < indices.length; i++) {
      indices[i] = Math.toIntExact(index);
      for (int axis = dims.length - 1; axis >= 0; axis--) {
        index += strides[axis];
        if (++at[axis] < dims[axis]) {
          break;
        }
        index -= strides[axis] * dims[axis];
        at[axis] = 0;
      }
    }
    return indices;
  }

  /** For each element of a tensor of {@code to}: the element of {@code from} broadcast to it. */
  static int[] broadcast(long[] from, long[] to) {
    long[] own = strides(from);
    long[] strides = new long[to.length];
    for (int i = 0; i < from.length; i++) {
      strides[to.length - from.length + i] = from[i] == 1 ? 0 : own[i];
    }
    return walk(to, strides, 0);
  }

  /** The dims that two operands broadcast to; they were checked before. */
  static long[] broadcastDims(long[] left, long[] right) {
    int rank = Math.max(left.length, right.length);
    long[] dims = new long[rank];
    Arrays.fill(dims, 1);
    for (long[] operand : new long[][] {left, right}) {
      for (int i = 0; i < operand.length; i++) {
        int at = rank - operand.length + i;
        dims[at] = operand[i] == 1 ? dims[at] : operand[i];
      }
    }
    return dims;
  }

  /** The product of {@code dims[from .. to)}. */
  static int product(long[] dims, int from, int to) {
    return Math.toIntExact(Arrays.stream(dims, from, to).reduce(1, Math::multiplyExact));
  }
}
