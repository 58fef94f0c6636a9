package dev.caldera.rewrite;

import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.GraphBuilder;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorData;
import dev.caldera.graph.TensorType;
import dev.caldera.graph.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Builds the packed graph node by node; see {@link PackSequences}.
 *
 * <p>The dims of a padded value before those of one row are its leading ones: two, [batch,
 * sequence] or [1, sequence], or one, their product. In the packed graph [tokens] takes their
 * place, so an axis behind them moves by their number less one.
 */
final class SequencePacker {

  private final Graph graph;
  private final Dim batch;
  private final Dim sequence;
  private final GraphBuilder builder;
  private final Dim tokens = Dim.symbol(PackSequences.TOKENS);
  private final Map<String, Value> inputs = new HashMap<>();
  private final Map<Value, Value> packed = new HashMap<>();
  private final Map<String, Value> constants = new HashMap<>();
  private final Map<Value, Long> positionIds;
  private final Set<Value> masks = new HashSet<>();

  SequencePacker(Graph graph, Dim batch, Dim sequence) {
    this.graph = graph;
    this.batch = batch;
    this.sequence = sequence;
    this.builder = new GraphBuilder(graph.name());
    this.positionIds = PositionIds.find(graph, sequence);
    for (Value input : PackSequences.inputs()) {
      inputs.put(input.name(), builder.input(input.name(), input.type()));
    }
    PackSequences.positionOffset(graph);
  }

  /** Says which packed input an input of the padded graph becomes. */
  void define(Value padded, String input) {
    packed.put(padded, input(input));
  }

  void defineMask(Value mask) {
    masks.add(mask);
  }

  Graph run() {
    for (Node node : graph.nodes()) {
      if (positionIds.containsKey(node.output())) {
        packed.put(node.output(), input(PackSequences.POSITIONS));
      } else if (node.op() instanceof Op.Cast && masks.contains(node.input(0))) {
        masks.add(node.output());
      } else {
        packed.put(node.output(), pack(node));
      }
    }
    for (Value output : graph.outputs()) {
      Value value = packed.get(output);
      if (value == null || !value.type().shape().dim(0).equals(tokens)) {
        throw new IllegalArgumentException(
            "Cannot pack sequences of graph "
                + graph.name()
                + ": output "
                + output
                + " has no row for each token");
      }
      builder.output(value);
    }
    return builder.build();
  }

  private Value input(String name) {
    return Objects.requireNonNull(inputs.get(name));
  }

  private Value pack(Node node) {
    Op op = node.op();
    if (op instanceof Op.MaskedAttention attention) {
      return attention(node, attention);
    }
    if (op instanceof Op.Unary
        || op instanceof Op.Cast
        || op instanceof Op.Binary
        || op instanceof Op.Where) {
      return add(node, op, node.inputs().stream().map(v -> broadcast(node, v)).toList());
    }
    if (op instanceof Op.MatMul
        || op instanceof Op.Linear
        || op instanceof Op.LayerNorm
        || op instanceof Op.AddLayerNorm) {
      return rowWise(node);
    }
    if (op instanceof Op.Gather gather) {
      return gather(node, gather);
    }
    int shift = leading(node, node.input(0)) - 1;
    if (op instanceof Op.Softmax softmax) {
      return add(node, new Op.Softmax(behind(node, softmax.axis(), shift)), rows(node));
    }
    if (op instanceof Op.ReduceMean mean) {
      List<Integer> axes = mean.axes().stream().map(a -> behind(node, a, shift)).toList();
      return add(node, new Op.ReduceMean(axes, mean.keepDims()), rows(node));
    }
    if (op instanceof Op.Concat concat) {
      return add(node, new Op.Concat(behind(node, concat.axis(), shift)), rows(node));
    }
    if (op instanceof Op.Slice slice) {
      int axis = behind(node, slice.axis(), shift);
      return add(node, new Op.Slice(axis, slice.start(), slice.end()), rows(node));
    }
    if (op instanceof Op.Transpose transpose) {
      return transpose(node, transpose, shift);
    }
    if (op instanceof Op.Reshape) {
      return add(node, new Op.Reshape(packedShape(node)), rows(node));
    }
    if (op instanceof Op.Expand) {
      return add(node, new Op.Expand(packedShape(node)), rows(node));
    }
    throw error(node, "it is not known to work on each row by itself");
  }

  private Value add(Node node, Op op, List<Value> operands) {
    List<String> names = node.outputs().stream().map(Value::name).toList();
    Value result = builder.add(node.name(), op, operands, names).get(0);
    Shape row = result.type().shape();
    if (!row.dim(0).equals(tokens)) {
      throw error(node, "its result " + row + " has no row for each token");
    }
    return result;
  }

  private Value attention(Node node, Op.MaskedAttention op) {
    if (!masks.contains(node.input(3))) {
      throw error(node, "its mask " + node.input(3).name() + " is not the attention mask");
    }
    List<Value> qkv = node.inputs().subList(0, 3).stream().map(v -> row(node, v)).toList();
    String name = node.name() + ".qkv";
    Value joined = builder.add(name, new Op.Concat(1), qkv, List.of(name)).get(0);
    Op packedOp = new Op.PackedAttention(op.heads(), op.headSize(), op.scale());
    return add(node, packedOp, List.of(joined, input(PackSequences.STARTS)));
  }

  private Value rowWise(Node node) {
    List<Value> operands = new ArrayList<>();
    operands.add(row(node, node.input(0)));
    boolean twoRows = node.op() instanceof Op.AddLayerNorm;
    for (int i = 1; i < node.inputs().size(); i++) {
      Value input = node.input(i);
      operands.add(twoRows && i == 1 ? row(node, input) : constant(node, input));
    }
    boolean isMatrix =
        !(node.op() instanceof Op.MatMul)
            || (operands.get(1).type().shape().rank() == 2
                && operands.get(0).type().shape().rank() == 2);
    if (!isMatrix) {
      throw error(node, "it multiplies more than each row with one matrix");
    }
    return add(node, node.op(), operands);
  }

  private Value gather(Node node, Op.Gather op) {
    if (graph.constants().containsKey(node.input(0)) && op.axis() == 0) {
      return add(node, op, List.of(constant(node, node.input(0)), row(node, node.input(1))));
    }
    int axis = behind(node, op.axis(), leading(node, node.input(0)) - 1);
    return add(
        node,
        new Op.Gather(axis),
        List.of(row(node, node.input(0)), constant(node, node.input(1))));
  }

  private Value transpose(Node node, Op.Transpose op, int shift) {
    boolean keepsRows = IntStream.rangeClosed(0, shift).allMatch(i -> op.permutation().get(i) == i);
    if (!keepsRows) {
      throw error(node, "it moves rows");
    }
    List<Integer> permutation =
        op.permutation().stream().filter(a -> a >= shift).map(a -> a - shift).toList();
    return add(node, new Op.Transpose(permutation), rows(node));
  }

  private Shape packedShape(Node node) {
    List<Dim> dims = node.output().type().shape().dims();
    List<Dim> result = new ArrayList<>(List.of(tokens));
    result.addAll(dims.subList(leading(node, node.output()), dims.size()));
    return new Shape(result);
  }

  /** An axis behind the leading dims, moved. */
  private int behind(Node node, int axis, int shift) {
    if (axis <= shift) {
      throw error(node, "it works along axis " + axis + ", across rows");
    }
    return axis - shift;
  }

  private int leading(Node node, Value value) {
    Shape shape = value.type().shape();
    boolean two =
        shape.rank() >= 2
            && shape.dim(1).equals(sequence)
            && (shape.dim(0).equals(batch) || shape.dim(0).equals(Dim.fixed(1)));
    boolean one =
        shape.rank() >= 1
            && (shape.dim(0).equals(Dim.product(batch, sequence)) || shape.dim(0).equals(sequence));
    if (!two && !one) {
      throw error(node, value + " has no row for each token");
    }
    return two ? 2 : 1;
  }

  private List<Value> rows(Node node) {
    return node.inputs().stream().map(v -> row(node, v)).toList();
  }

  /** The packed form of an operand that has a row for each token. */
  private Value row(Node node, Value value) {
    Value row = packed.get(value);
    if (row == null) {
      throw error(
          node,
          masks.contains(value)
              ? "it reads the attention mask, which packed sequences do not have"
              : value + " has no row for each token");
    }
    return row;
  }

  /** An operand of a pointwise op; a constant loses leading dims of 1. */
  private Value broadcast(Node node, Value value) {
    TensorData data = graph.constants().get(value);
    if (data == null) {
      return row(node, value);
    }
    int inRow = node.output().type().shape().rank() - leading(node, node.output());
    List<Dim> dims = value.type().shape().dims();
    int extra = Math.max(0, dims.size() - inRow);
    if (!dims.subList(0, extra).stream().allMatch(Dim.fixed(1)::equals)) {
      throw error(node, "constant " + value + " is not the same for each row");
    }
    if (extra == 0) {
      return constant(node, value);
    }
    Shape shape = new Shape(dims.subList(extra, dims.size()));
    String name = value.name() + ".row" + extra;
    return constants.computeIfAbsent(
        name, n -> builder.constant(n, new TensorType(value.type().dtype(), shape), data));
  }

  private Value constant(Node node, Value value) {
    TensorData data = graph.constants().get(value);
    if (data == null) {
      throw error(node, value + " is not a constant");
    }
    return constants.computeIfAbsent(value.name(), n -> builder.constant(n, value.type(), data));
  }

  private IllegalArgumentException error(Node node, String reason) {
    return new IllegalArgumentException(
        "Cannot pack sequences of graph "
            + graph.name()
            + ": node "
            + node.name()
            + ", "
            + node.op()
            + ": "
            + reason);
  }
}
