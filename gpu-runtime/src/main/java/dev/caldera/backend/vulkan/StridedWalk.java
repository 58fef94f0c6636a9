package dev.caldera.backend.vulkan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Tensors walked together in the order of their elements: dims, and each tensor's strides under
 * them, as {@code lib/strides.glsl} takes them. Dims of 1 are dropped, and neighbours that every
 * tensor holds without a gap become one.
 */
final class StridedWalk {
  /** Dims that a shader can walk. */
  static final int RANK = 6;

  private final List<Long> dims = new ArrayList<>();
  private final List<List<Long>> strides = new ArrayList<>();

  /**
   * A walk over {@code dims}.
   *
   * @param dims sizes, outermost first
   * @param strides for each tensor its stride along each dim, in elements
   * @throws IllegalArgumentException if more than {@link #RANK} dims remain
   */
  StridedWalk(long[] dims, long[]... strides) {
    for (int tensor = 0; tensor < strides.length; tensor++) {
      this.strides.add(new ArrayList<>());
    }
    for (int axis = 0; axis < dims.length; axis++) {
      if (dims[axis] != 1 && !merge(axis, dims[axis], strides)) {
        this.dims.add(dims[axis]);
        for (int tensor = 0; tensor < strides.length; tensor++) {
          this.strides.get(tensor).add(strides[tensor][axis]);
        }
      }
    }
    if (this.dims.size() > RANK) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot walk dims %s: %d remain after merging, at most %d would be right",
              Arrays.toString(dims), this.dims.size(), RANK));
    }
  }

  /** Whether the last dim could take in this one. */
  private boolean merge(int axis, long size, long[][] added) {
    int last = dims.size() - 1;
    if (last < 0) {
      return false;
    }
    for (int tensor = 0; tensor < added.length; tensor++) {
      if (strides.get(tensor).get(last) != added[tensor][axis] * size) {
        return false;
      }
    }
    dims.set(last, dims.get(last) * size);
    for (int tensor = 0; tensor < added.length; tensor++) {
      strides.get(tensor).set(last, added[tensor][axis]);
    }
    return true;
  }

  /** Elements walked over. */
  long count() {
    return dims.stream().reduce(1L, Math::multiplyExact);
  }

  /** Appends the dims and then each tensor's strides to the push constants. */
  void push(StepRun run) {
    append(run, dims, 1);
    strides.forEach(tensor -> append(run, tensor, 0));
  }

  private static void append(StepRun run, List<Long> values, long filler) {
    values.forEach(run::integer);
    Collections.nCopies(RANK - values.size(), filler).forEach(run::integer);
  }

  /** Strides of a row-major tensor. */
  static long[] rowMajor(long[] dims) {
    long[] strides = new long[dims.length];
    long stride = 1;
    for (int axis = dims.length - 1; axis >= 0; axis--) {
      strides[axis] = stride;
      stride = Math.multiplyExact(stride, dims[axis]);
    }
    return strides;
  }

  /** Strides of a row-major tensor of {@code dims} broadcast as NumPy does to {@code rank} dims. */
  static long[] broadcast(long[] dims, int rank) {
    long[] own = rowMajor(dims);
    long[] strides = new long[rank];
    for (int axis = 0; axis < dims.length; axis++) {
      strides[rank - dims.length + axis] = dims[axis] == 1 ? 0 : own[axis];
    }
    return strides;
  }
}
