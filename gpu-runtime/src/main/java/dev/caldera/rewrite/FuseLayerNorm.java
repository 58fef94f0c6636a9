package dev.caldera.rewrite;

import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Op.BinaryKind;
import dev.caldera.graph.Op.UnaryKind;
import dev.caldera.graph.Value;
import dev.caldera.rewrite.Patterns.Operands;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Recognises (x - mean) / sqrt(variance + epsilon) * gamma + beta, mean and variance taken over the
 * last axis, as {@link Op.LayerNorm}. The square may be a power or a product, the quotient a
 * product with a reciprocal, x - mean computed once or twice.
 */
public final class FuseLayerNorm implements Rewrite {

  @Override
  public String name() {
    return "fuse layer normalisation";
  }

  @Override
  public Result apply(Graph graph) {
    GraphEdit edit = new GraphEdit(graph);
    for (Node node : edit.nodes()) {
      if (node.op().equals(Patterns.binary(BinaryKind.ADD))) {
        new Match(edit, node).replace();
      }
    }
    return edit.finish();
  }

  /** One attempt, whose nodes are collected as they are recognised. */
  private record Match(GraphEdit edit, Node last, List<Node> interior) {

    Match(GraphEdit edit, Node last) {
      this(edit, last, new ArrayList<>());
    }

    void replace() {
      Optional<Operands> shifted = Patterns.withConstant(edit, last);
      Optional<Node> scaling =
          shifted.flatMap(o -> edit.producer(o.one(), Patterns.binary(BinaryKind.MULTIPLY)));
      Optional<Operands> scaled = scaling.flatMap(n -> Patterns.withConstant(edit, n));
      if (scaled.isEmpty()) {
        return;
      }
      interior.add(scaling.orElseThrow());
      Value gamma = scaled.get().other();
      Value beta = shifted.orElseThrow().other();
      normalised(scaled.get().one())
          .filter(norm -> norm.x().type().equals(last.output().type()))
          .filter(norm -> Patterns.isRowVector(gamma, norm.x()))
          .filter(norm -> Patterns.isRowVector(beta, norm.x()))
          .filter(norm -> edit.isClosed(interior, last))
          .ifPresent(
              norm -> edit.replace(last, new Op.LayerNorm(norm.epsilon()), norm.x(), gamma, beta));
    }

    /** What is normalised, and the number under the root. */
    private record Norm(Value x, float epsilon) {}

    private Optional<Norm> normalised(Value value) {
      return edit.producer(value, Patterns.binary(BinaryKind.DIVIDE))
          .flatMap(node -> quotient(node, node.input(0), node.input(1)))
          .or(() -> product(value));
    }

    private Optional<Norm> product(Value value) {
      Optional<Node> node = edit.producer(value, Patterns.binary(BinaryKind.MULTIPLY));
      if (node.isEmpty()) {
        return Optional.empty();
      }
      for (Operands operands : Patterns.bothOrders(node.get())) {
        Optional<Node> reciprocal =
            edit.producer(operands.other(), Patterns.unary(UnaryKind.RECIPROCAL));
        if (reciprocal.isPresent()) {
          interior.add(reciprocal.get());
          return quotient(node.get(), operands.one(), reciprocal.get().input(0));
        }
      }
      return Optional.empty();
    }

    private Optional<Norm> quotient(Node node, Value centred, Value deviation) {
      interior.add(node);
      Optional<Node> root = edit.producer(deviation, Patterns.unary(UnaryKind.SQRT));
      Optional<Node> sum =
          root.flatMap(n -> edit.producer(n.input(0), Patterns.binary(BinaryKind.ADD)));
      Optional<Operands> parts = sum.flatMap(n -> Patterns.withConstant(edit, n));
      Optional<Value> x = centred(centred);
      if (parts.isEmpty() || x.isEmpty() || edit.scalar(parts.get().other()).isEmpty()) {
        return Optional.empty();
      }
      interior.add(root.orElseThrow());
      interior.add(sum.orElseThrow());
      float epsilon = (float) edit.scalar(parts.get().other()).getAsDouble();
      return mean(parts.get().one())
          .flatMap(this::squared)
          .flatMap(this::centred)
          .filter(x.get()::equals)
          .map(v -> new Norm(v, epsilon));
    }

    /** x of x - mean(x). */
    private Optional<Value> centred(Value value) {
      Optional<Node> node = edit.producer(value, Patterns.binary(BinaryKind.SUBTRACT));
      node.ifPresent(interior::add);
      return node.filter(n -> mean(n.input(1)).filter(n.input(0)::equals).isPresent())
          .map(n -> n.input(0));
    }

    /** x of the mean of x over its last axis. */
    private Optional<Value> mean(Value value) {
      int last = value.type().shape().rank() - 1;
      Optional<Node> node = edit.producer(value, new Op.ReduceMean(List.of(last), true));
      node.ifPresent(interior::add);
      return node.map(n -> n.input(0));
    }

    /** x of x^2. */
    private Optional<Value> squared(Value value) {
      Optional<Node> power =
          edit.producer(value, Patterns.binary(BinaryKind.POWER))
              .filter(n -> edit.scalar(n.input(1)).orElse(0) == 2);
      Optional<Node> product =
          edit.producer(value, Patterns.binary(BinaryKind.MULTIPLY))
              .filter(n -> n.input(0).equals(n.input(1)));
      Optional<Node> node = power.or(() -> product);
      node.ifPresent(interior::add);
      return node.map(n -> n.input(0));
    }
  }
}
