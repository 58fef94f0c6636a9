package dev.caldera.model.onnx;

import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Range of integers known when loading. With a symbolic limit it is the beginning of a constant of
 * {@link #LONGEST} numbers, which limits the symbol.
 */
final class RangeImporter implements OpImporter {

  private static final int LONGEST = 1 << 16;

  @Override
  public void run(NodeImport node) {
    Dim start = node.known(0).get(0);
    Dim limit = node.known(1).get(0);
    Dim delta = node.known(2).get(0);
    DType dtype = node.type(0).dtype();
    if (start instanceof Dim.Fixed s
        && limit instanceof Dim.Fixed l
        && delta instanceof Dim.Fixed d) {
      node.result(fixed(node, dtype, s.size(), l.size(), d.size()));
      return;
    }
    node.require(
        start instanceof Dim.Fixed s && s.size() >= 0 && delta.equals(Dim.fixed(1)),
        "a range from " + start + " to " + limit + " by " + delta + " is not supported");
    long[] numbers = LongStream.range(0, LONGEST).toArray();
    Operand all = node.constant(HostTensor.integers(dtype, numbers, LONGEST));
    node.result(node.apply(new Op.Slice(0, start, limit), all));
  }

  private static Operand fixed(NodeImport node, DType dtype, long start, long limit, long delta) {
    node.require(delta != 0, "a range by 0 is not supported");
    List<Long> numbers = new ArrayList<>();
    for (long at = start; delta > 0 ? at < limit : at > limit; at = Math.addExact(at, delta)) {
      node.require(
          numbers.size() < LONGEST,
          "a range of more than " + LONGEST + " numbers is not supported");
      numbers.add(at);
    }
    long[] values = numbers.stream().mapToLong(Long::longValue).toArray();
    return node.constant(HostTensor.integers(dtype, values, values.length));
  }
}
