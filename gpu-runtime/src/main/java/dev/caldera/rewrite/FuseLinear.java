package dev.caldera.rewrite;

import dev.caldera.graph.Activation;
import dev.caldera.graph.DType;
import dev.caldera.graph.Graph;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Op.BinaryKind;
import dev.caldera.graph.Op.UnaryKind;
import dev.caldera.graph.Value;
import dev.caldera.rewrite.Patterns.Operands;
import java.util.Map;
import java.util.Optional;

/**
 * Makes {@link Op.Linear} of a product with a constant matrix, the bias after it (zeros if there is
 * none), and the activation after that.
 */
public final class FuseLinear implements Rewrite {

  private static final Map<UnaryKind, Activation> ACTIVATIONS =
      Map.of(
          UnaryKind.RELU, Activation.RELU,
          UnaryKind.TANH, Activation.TANH,
          UnaryKind.GELU_ERF, Activation.GELU_ERF,
          UnaryKind.GELU_TANH, Activation.GELU_TANH);

  @Override
  public String name() {
    return "fuse matrix product, bias and activation";
  }

  @Override
  public Result apply(Graph graph) {
    GraphEdit edit = new GraphEdit(graph);
    edit.nodes().forEach(node -> fuseBias(edit, node));
    edit.nodes().forEach(node -> fuseProduct(edit, node));
    edit.nodes().forEach(node -> fuseActivation(edit, node));
    return edit.finish();
  }

  private static boolean isProduct(GraphEdit edit, Node node) {
    return node.op() instanceof Op.MatMul
        && edit.isConstant(node.input(1))
        && node.input(1).type().shape().rank() == 2
        && node.input(0).type().dtype() == DType.F32
        && !edit.isConstant(node.input(0));
  }

  private static void fuseBias(GraphEdit edit, Node node) {
    if (!node.op().equals(Patterns.binary(BinaryKind.ADD))) {
      return;
    }
    Optional<Operands> operands = Patterns.withConstant(edit, node);
    Optional<Node> product =
        operands
            .flatMap(o -> edit.producer(o.one()))
            .filter(n -> isProduct(edit, n) && edit.isUsedOnce(n.output()));
    if (product.isPresent()
        && product.get().output().type().equals(node.output().type())
        && Patterns.isRowVector(operands.orElseThrow().other(), node.output())) {
      edit.replace(
          node,
          new Op.Linear(Activation.NONE),
          product.get().input(0),
          product.get().input(1),
          operands.get().other());
    }
  }

  private static void fuseProduct(GraphEdit edit, Node node) {
    boolean isDead =
        !edit.isOutput(node.outputs().get(0)) && edit.consumers(node.outputs().get(0)).isEmpty();
    if (!isProduct(edit, node) || isDead) {
      return;
    }
    Value weight = node.input(1);
    int columns = (int) weight.type().shape().columns().evaluate(Map.of());
    Value zeros =
        edit.addConstant(weight.name() + ".zeros", HostTensor.floats(new float[columns], columns));
    edit.replace(node, new Op.Linear(Activation.NONE), node.input(0), weight, zeros);
  }

  private static void fuseActivation(GraphEdit edit, Node node) {
    Activation activation = node.op() instanceof Op.Unary u ? ACTIVATIONS.get(u.kind()) : null;
    if (activation == null) {
      return;
    }
    edit.producer(node.input(0), new Op.Linear(Activation.NONE))
        .filter(linear -> edit.isUsedOnce(linear.output()))
        .ifPresent(
            linear ->
                edit.replace(
                    node,
                    new Op.Linear(activation),
                    linear.input(0),
                    linear.input(1),
                    linear.input(2)));
  }
}
