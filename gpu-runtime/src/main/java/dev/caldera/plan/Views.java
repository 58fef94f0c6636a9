package dev.caldera.plan;

import dev.caldera.graph.Dim;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import dev.caldera.graph.Value;
import java.util.List;
import java.util.OptionalLong;

/**
 * Tells which nodes are views: an offset into their first input, and no dispatch.
 *
 * <p>Row-major data is dense by a run's actual sizes, so an offset that depends on a symbolic dim
 * would differ from run to run. A slice that starts elsewhere than at 0 is therefore a view only if
 * its start and all dims behind the first are known sizes.
 */
final class Views {
  private Views() {}

  /**
   * Bytes from the start of the first input's row-major data to the output's, when {@code node} is
   * a view; empty when it moves data.
   */
  static OptionalLong offset(Node node) {
    Op op = node.op();
    if (op instanceof Op.Reshape || isIdentity(node)) {
      return OptionalLong.of(0);
    }
    if (op instanceof Op.Slice slice && slice.axis() == 0) {
      return sliceOffset(slice, node.input(0));
    }
    return OptionalLong.empty();
  }

  /** Whether the output equals the input in type, shape and every element. */
  static boolean isIdentity(Node node) {
    Op op = node.op();
    return (op instanceof Op.Cast || op instanceof Op.Expand)
        && node.input(0).type().equals(node.output().type());
  }

  private static OptionalLong sliceOffset(Op.Slice slice, Value input) {
    if (slice.start().equals(Dim.fixed(0))) {
      return OptionalLong.of(0);
    }
    Shape shape = input.type().shape();
    List<Dim> inner = shape.dims().subList(1, shape.rank());
    if (!(slice.start() instanceof Dim.Fixed start)
        || !inner.stream().allMatch(dim -> dim instanceof Dim.Fixed)) {
      return OptionalLong.empty();
    }
    long offset = Math.multiplyExact(start.size(), (long) input.type().dtype().bytes());
    for (Dim dim : inner) {
      offset = Math.multiplyExact(offset, ((Dim.Fixed) dim).size());
    }
    return offset % MemoryPlanner.ALIGNMENT == 0 ? OptionalLong.of(offset) : OptionalLong.empty();
  }
}
