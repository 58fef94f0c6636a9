package dev.caldera.graph;

import java.util.List;

/** Host rules of the ops that only move elements. */
final class HostMovement {

  private HostMovement() {}

  static void register(HostEvaluator.Registry registry) {
    registry.add(Op.Transpose.class, (op, in) -> transpose(op, in.get(0)));
    registry.add(Op.Reshape.class, (op, in) -> List.of(in.get(0).reshape(sizes(op.shape()))));
    registry.add(Op.Expand.class, (op, in) -> expand(op, in.get(0)));
    registry.add(Op.Gather.class, (op, in) -> gather(op, in.get(0), in.get(1)));
    registry.add(Op.Concat.class, HostMovement::concat);
    registry.add(Op.ConvertLayout.class, (op, in) -> in);
    registry.add(Op.Slice.class, (op, in) -> slice(op, in.get(0)));
  }

  private static long[] sizes(Shape shape) {
    return shape.evaluate(java.util.Map.of());
  }

  private static List<HostTensor> transpose(Op.Transpose op, HostTensor x) {
    long[] own = HostIndex.strides(x.dims());
    long[] dims = new long[x.rank()];
    long[] strides = new long[x.rank()];
    for (int i = 0; i < dims.length; i++) {
      dims[i] = x.dim(op.permutation().get(i));
      strides[i] = own[op.permutation().get(i)];
    }
    return List.of(x.pick(HostIndex.walk(dims, strides, 0), dims));
  }

  private static List<HostTensor> expand(Op.Expand op, HostTensor x) {
    long[] dims = sizes(op.shape());
    return List.of(x.pick(HostIndex.broadcast(x.dims(), dims), dims));
  }

  private static List<HostTensor> gather(Op.Gather op, HostTensor data, HostTensor indices) {
    int axis = op.axis();
    int rows = data.dim(axis);
    int outer = HostIndex.product(data.dims(), 0, axis);
    int inner = HostIndex.product(data.dims(), axis + 1, data.rank());
    int[] picks = new int[Math.multiplyExact(Math.multiplyExact(outer, inner), indices.size())];
    int next = 0;
    for (int o = 0; o < outer; o++) {
      for (int i = 0; i < indices.size(); i++) {
        int row = row(indices.longAt(i), rows);
        for (int j = 0; j < inner; j++) {
          picks[next++] = (o * rows + row) * inner + j;
        }
      }
    }
    long[] dims = new long[data.rank() - 1 + indices.rank()];
    System.arraycopy(data.dims(), 0, dims, 0, axis);
    System.arraycopy(indices.dims(), 0, dims, axis, indices.rank());
    System.arraycopy(data.dims(), axis + 1, dims, axis + indices.rank(), data.rank() - axis - 1);
    return List.of(data.pick(picks, dims));
  }

  /** The row that a possibly negative index means. */
  static int row(long index, int rows) {
    if (index < -rows || index >= rows) {
      throw new IndexOutOfBoundsException(
          "Cannot gather row " + index + ": the table has " + rows + " rows");
    }
    return (int) (index < 0 ? index + rows : index);
  }

  private static List<HostTensor> concat(Op.Concat op, List<HostTensor> in) {
    HostTensor first = in.get(0);
    long[] dims = first.dims();
    dims[op.axis()] = in.stream().mapToLong(t -> t.dim(op.axis())).sum();
    int outer = HostIndex.product(dims, 0, op.axis());
    int size = HostTensor.elements(dims);
    float[] floats = new float[first.dtype().isFloat() ? size : 0];
    long[] longs = new long[first.dtype().isFloat() ? 0 : size];
    int next = 0;
    for (int o = 0; o < outer; o++) {
      for (HostTensor operand : in) {
        int row = operand.size() / outer;
        for (int i = o * row; i < (o + 1) * row; i++, next++) {
          if (first.dtype().isFloat()) {
            floats[next] = operand.floatAt(i);
          } else {
            longs[next] = operand.longAt(i);
          }
        }
      }
    }
    return List.of(HostTensor.ofParts(first.dtype(), dims, floats, longs));
  }

  private static List<HostTensor> slice(Op.Slice op, HostTensor x) {
    long start = op.start().evaluate(java.util.Map.of());
    long end = op.end().evaluate(java.util.Map.of());
    long[] strides = HostIndex.strides(x.dims());
    long[] dims = x.dims();
    dims[op.axis()] = end - start;
    return List.of(x.pick(HostIndex.walk(dims, strides, start * strides[op.axis()]), dims));
  }
}
