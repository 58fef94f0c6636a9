package dev.caldera.model.onnx;

import dev.caldera.graph.Dim;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Slice with a step of 1; starts, ends and axes are attributes before opset 10, operands since.
 *
 * <p>ONNX cuts an end at the dim. Where one of the two is symbolic and the other is not, the
 * graph's limits see to it that the end lies within the dim.
 */
final class SliceImporter implements OpImporter {

  /** An end from here on means "to the end", whatever the dim. */
  private static final long TO_THE_END = Integer.MAX_VALUE;

  @Override
  public void run(NodeImport node) {
    boolean attributes = node.opset() < 10;
    List<Dim> starts = attributes ? dims(node, "starts") : node.known(1);
    List<Dim> ends = attributes ? dims(node, "ends") : node.known(2);
    List<Long> axes = axes(node, starts.size());
    node.require(
        starts.size() == ends.size() && axes.size() == starts.size(),
        "its starts, ends and axes are not of one length");
    if (!attributes && node.optionalInput(4).isPresent()) {
      node.require(
          node.numbers(4).stream().allMatch(s -> s == 1), "a step other than 1 is not supported");
    }
    Operand result = node.input(0);
    for (int i = 0; i < starts.size(); i++) {
      result = slice(node, result, axes.get(i), starts.get(i), ends.get(i));
    }
    node.result(result);
  }

  private static List<Dim> dims(NodeImport node, String attribute) {
    return node
        .integers(attribute)
        .orElseThrow(() -> node.error("attribute " + attribute + " is missing"))
        .stream()
        .map(Dim::fixed)
        .toList();
  }

  private static List<Long> axes(NodeImport node, int count) {
    List<Long> all = LongStream.range(0, count).boxed().toList();
    if (node.opset() < 10) {
      return node.integers("axes").orElse(all);
    }
    return node.optionalInput(3).isPresent() ? node.numbers(3) : all;
  }

  private static Operand slice(NodeImport node, Operand x, long onnxAxis, Dim start, Dim end) {
    Shape shape = x.type().shape();
    int axis = node.axis(onnxAxis, shape.rank());
    Dim size = shape.dim(axis);
    Dim from = place(node, start, size);
    Dim to = place(node, end, size);
    if (from.equals(Dim.fixed(0)) && to.equals(size)) {
      return x;
    }
    if (from instanceof Dim.Fixed f && to instanceof Dim.Fixed t && t.size() < f.size()) {
      to = from;
    }
    return node.apply(new Op.Slice(axis, from, to), x);
  }

  /** Where a possibly negative or too large start or end lies. */
  private static Dim place(NodeImport node, Dim given, Dim size) {
    if (!(given instanceof Dim.Fixed number)) {
      return given;
    }
    if (size instanceof Dim.Fixed fixed) {
      long at = number.size() < 0 ? number.size() + fixed.size() : number.size();
      return Dim.fixed(Math.max(0, Math.min(fixed.size(), at)));
    }
    if (number.size() == 0) {
      return number;
    }
    if (number.size() >= TO_THE_END) {
      return size;
    }
    throw node.error(
        "elements up to " + number + " of a dim of size " + size + " are not known when loading");
  }
}
