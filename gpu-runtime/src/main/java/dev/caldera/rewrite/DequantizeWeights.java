package dev.caldera.rewrite;

import dev.caldera.graph.DType;
import dev.caldera.graph.Graph;
import dev.caldera.graph.HostEvaluator;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Op.BinaryKind;
import dev.caldera.graph.Value;
import dev.caldera.rewrite.Patterns.Operands;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns products of quantized activations and weights into products of floats with the dequantized
 * weights, and looks rows up in dequantized tables.
 *
 * <p>{@code Cast(MatMulInteger(DynamicQuantize(x), W)) * (scale of x * scale of W)} becomes {@code
 * MatMul(x, dequantized W)}. The scale of x is that of the whole batch, so that a row's result
 * would depend on the rows beside it; this way it does not, and it is nearer to the model before it
 * was quantized.
 */
public final class DequantizeWeights implements Rewrite {

  @Override
  public String name() {
    return "dequantize weights";
  }

  @Override
  public Result apply(Graph graph) {
    GraphEdit edit = new GraphEdit(graph);
    Map<List<Value>, Value> dequantized = new HashMap<>();
    for (Node node : edit.nodes()) {
      if (node.op().equals(Patterns.binary(BinaryKind.MULTIPLY))) {
        for (Operands operands : Patterns.bothOrders(node)) {
          product(edit, node, operands, dequantized);
        }
      } else if (node.op() instanceof Op.Dequantize op) {
        lookup(edit, node, op, dequantized);
      }
    }
    return edit.finish();
  }

  private static void product(
      GraphEdit edit, Node node, Operands operands, Map<List<Value>, Value> dequantized) {
    Optional<Node> product =
        edit.producer(operands.one(), new Op.Cast(DType.F32))
            .flatMap(cast -> edit.producer(cast.input(0), new Op.MatMulInteger()))
            .filter(n -> edit.isConstant(n.input(1)) && edit.isConstant(n.input(3)));
    Optional<Node> quantize =
        product
            .flatMap(n -> edit.producer(n.input(0), new Op.DynamicQuantize()))
            .filter(n -> n.outputs().get(0).equals(product.orElseThrow().input(0)))
            .filter(n -> n.outputs().get(2).equals(product.orElseThrow().input(2)));
    Optional<Node> scales = edit.producer(operands.other(), Patterns.binary(BinaryKind.MULTIPLY));
    if (quantize.isEmpty() || scales.isEmpty()) {
      return;
    }
    Value scaleOfX = quantize.get().outputs().get(1);
    for (Operands both : Patterns.bothOrders(scales.get())) {
      if (both.one().equals(scaleOfX) && edit.isConstant(both.other())) {
        Node integer = product.orElseThrow();
        Value weight =
            dequantize(edit, integer.input(1), both.other(), integer.input(3), 1, dequantized);
        edit.replace(node, new Op.MatMul(), quantize.get().input(0), weight);
        return;
      }
    }
  }

  private static void lookup(
      GraphEdit edit, Node node, Op.Dequantize op, Map<List<Value>, Value> dequantized) {
    edit.producer(node.input(0))
        .filter(gather -> gather.op() instanceof Op.Gather && edit.isConstant(gather.input(0)))
        .filter(gather -> edit.isConstant(node.input(1)) && edit.isConstant(node.input(2)))
        .filter(gather -> node.input(1).type().shape().rank() == 0)
        .ifPresent(
            gather -> {
              Value table =
                  dequantize(
                      edit, gather.input(0), node.input(1), node.input(2), op.axis(), dequantized);
              edit.replace(node, gather.op(), table, gather.input(1));
            });
  }

  private static Value dequantize(
      GraphEdit edit,
      Value quantized,
      Value scale,
      Value zero,
      int axis,
      Map<List<Value>, Value> dequantized) {
    return dequantized.computeIfAbsent(
        List.of(quantized, scale, zero),
        key -> {
          HostTensor scales = edit.constant(scale).orElseThrow();
          HostTensor zeros = edit.constant(zero).orElseThrow();
          if (zeros.rank() < scales.rank()) {
            zeros = HostEvaluator.apply(new Op.Expand(scales.type().shape()), zeros);
          } else if (scales.rank() < zeros.rank()) {
            scales = HostEvaluator.apply(new Op.Expand(zeros.type().shape()), scales);
          }
          HostTensor weights = edit.constant(quantized).orElseThrow();
          return edit.addConstant(
              quantized.name() + ".dequantized",
              HostEvaluator.apply(new Op.Dequantize(axis), weights, scales, zeros));
        });
  }
}
