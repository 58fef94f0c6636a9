package dev.caldera.rewrite;

import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Op.BinaryKind;
import dev.caldera.graph.Shape;
import dev.caldera.graph.Value;
import dev.caldera.rewrite.Patterns.Operands;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Recognises softmax(scale q k^T + mask) v over heads as {@link Op.MaskedAttention}.
 *
 * <p>The heads are split by a reshape [B, S, heads * headSize] to [B, S, heads, headSize] and
 * transposes, and joined the other way round. The scale may stand on the scores, on q, or on k,
 * before or after the split. The mask, added to the scores or choosing between them and a low
 * number, must hide just the keys that the attention mask hides ({@link KeyMask}).
 */
public final class FuseAttention implements Rewrite {

  private static final List<Integer> HEADS_FIRST = List.of(0, 2, 1, 3);
  private static final List<Integer> KEYS_LAST = List.of(0, 2, 3, 1);
  private static final double LOW_SCORE = -9_000;

  @Override
  public String name() {
    return "fuse attention";
  }

  @Override
  public Result apply(Graph graph) {
    GraphEdit edit = new GraphEdit(graph);
    KeyMask masks = new KeyMask(edit);
    for (Node node : edit.nodes()) {
      if (node.op() instanceof Op.Reshape && node.output().type().shape().rank() == 3) {
        new Match(edit, masks, node, new ArrayList<>()).replace();
      }
    }
    return edit.finish();
  }

  /** One attempt, whose nodes are collected as they are recognised. */
  private record Match(GraphEdit edit, KeyMask masks, Node last, List<Node> interior) {

    /**
     * A tensor split in heads.
     *
     * @param source [B, S, heads * headSize]
     * @param split [B, S, heads, headSize]
     * @param scale that it was multiplied by
     */
    private record Heads(Value source, Shape split, double scale) {}

    /** Scores before the softmax, and what they were masked and multiplied by. */
    private record Scores(Node product, Value mask, double scale) {}

    void replace() {
      Optional<Node> join = producer(last.input(0), new Op.Transpose(HEADS_FIRST));
      Optional<Node> context = join.flatMap(n -> producer(n.input(0), new Op.MatMul()));
      Optional<Node> softmax = context.flatMap(n -> producer(n.input(0), new Op.Softmax(3)));
      Optional<Scores> scores = softmax.flatMap(n -> masked(n.input(0)));
      if (scores.isEmpty()) {
        return;
      }
      Optional<Heads> q = heads(scores.get().product().input(0), HEADS_FIRST);
      Optional<Heads> k = heads(scores.get().product().input(1), KEYS_LAST);
      Optional<Heads> v = heads(context.orElseThrow().input(1), HEADS_FIRST);
      if (q.isEmpty() || k.isEmpty() || v.isEmpty() || v.get().scale() != 1) {
        return;
      }
      replace(scores.get(), q.get(), k.get(), v.get());
    }

    private void replace(Scores scores, Heads q, Heads k, Heads v) {
      Shape split = q.split();
      boolean alike =
          split.equals(k.split())
              && split.equals(v.split())
              && List.of(q, k, v).stream()
                  .allMatch(h -> h.source().type().equals(last.output().type()));
      Shape masked = Shape.of(split.dim(0), split.dim(1));
      if (!alike
          || !scores.mask().type().shape().equals(masked)
          || !edit.isClosed(interior, last)
          || !(split.dim(2) instanceof Dim.Fixed heads)
          || !(split.dim(3) instanceof Dim.Fixed headSize)) {
        return;
      }
      Value mask =
          scores.mask().type().dtype() == DType.F32
              ? scores.mask()
              : edit.insert(last, last.name() + ".mask", new Op.Cast(DType.F32), scores.mask());
      float scale = (float) (scores.scale() * q.scale() * k.scale());
      edit.replace(
          last,
          new Op.MaskedAttention((int) heads.size(), (int) headSize.size(), scale),
          q.source(),
          k.source(),
          v.source(),
          mask);
    }

    private Optional<Node> producer(Value value, Op op) {
      Optional<Node> node = edit.producer(value, op);
      node.ifPresent(interior::add);
      return node;
    }

    private Optional<Scores> masked(Value value) {
      Optional<Node> sum = producer(value, Patterns.binary(BinaryKind.ADD));
      if (sum.isPresent()) {
        for (Operands operands : Patterns.bothOrders(sum.get())) {
          Optional<Value> mask = masks.ofSummand(operands.other());
          if (mask.isPresent()) {
            return scaled(operands.one(), mask.get());
          }
        }
        return Optional.empty();
      }
      return producer(value, new Op.Where()).flatMap(this::chosen);
    }

    private Optional<Scores> chosen(Node where) {
      boolean lowFirst = edit.scalar(where.input(1)).orElse(0) <= LOW_SCORE;
      boolean lowSecond = edit.scalar(where.input(2)).orElse(0) <= LOW_SCORE;
      if (lowFirst == lowSecond) {
        return Optional.empty();
      }
      return masks
          .ofCondition(where.input(0), lowFirst ? 0 : 1)
          .flatMap(mask -> scaled(where.input(lowFirst ? 2 : 1), mask));
    }

    private Optional<Scores> scaled(Value value, Value mask) {
      Scaled scores = unscale(value);
      return producer(scores.value(), new Op.MatMul())
          .map(product -> new Scores(product, mask, scores.scale()));
    }

    /** A value and what it is multiplied by. */
    private record Scaled(Value value, double scale) {}

    /** Passes products and quotients with a number. */
    private Scaled unscale(Value value) {
      Value inner = value;
      double scale = 1;
      for (int i = 0; i < 3; i++) {
        Optional<Node> times = edit.producer(inner, Patterns.binary(BinaryKind.MULTIPLY));
        Optional<Node> by = edit.producer(inner, Patterns.binary(BinaryKind.DIVIDE));
        Optional<Operands> factors = times.flatMap(n -> Patterns.withConstant(edit, n));
        if (factors.isPresent() && edit.scalar(factors.get().other()).isPresent()) {
          interior.add(times.orElseThrow());
          inner = factors.get().one();
          scale *= edit.scalar(factors.get().other()).getAsDouble();
        } else if (by.isPresent() && edit.scalar(by.get().input(1)).isPresent()) {
          interior.add(by.get());
          inner = by.get().input(0);
          scale /= edit.scalar(by.get().input(1)).getAsDouble();
        }
      }
      return new Scaled(inner, scale);
    }

    /** The source of heads that transposes, in all {@code permutation}, and a reshape split. */
    private Optional<Heads> heads(Value value, List<Integer> permutation) {
      Scaled after = unscale(value);
      Value inner = after.value();
      double scale = after.scale();
      List<Integer> composed = IntStream.range(0, 4).boxed().toList();
      for (int i = 0; i < 2; i++) {
        Optional<Node> node = edit.producer(inner).filter(n -> n.op() instanceof Op.Transpose);
        if (node.isPresent() && node.get().op() instanceof Op.Transpose transpose) {
          interior.add(node.get());
          List<Integer> outer = composed;
          composed = outer.stream().map(axis -> transpose.permutation().get(axis)).toList();
          Scaled between = unscale(node.get().input(0));
          inner = between.value();
          scale *= between.scale();
        }
      }
      Optional<Node> split = edit.producer(inner).filter(n -> n.op() instanceof Op.Reshape);
      if (!composed.equals(permutation) || split.isEmpty()) {
        return Optional.empty();
      }
      interior.add(split.get());
      Scaled source = unscale(split.get().input(0));
      return Optional.of(new Heads(source.value(), inner.type().shape(), scale * source.scale()))
          .filter(h -> isSplit(h.source().type().shape(), h.split()));
    }

    private static boolean isSplit(Shape source, Shape split) {
      return source.rank() == 3
          && split.rank() == 4
          && source.dim(0).equals(split.dim(0))
          && source.dim(1).equals(split.dim(1));
    }
  }
}
