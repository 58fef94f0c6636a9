package dev.caldera.rewrite;

import dev.caldera.graph.Graph;
import dev.caldera.graph.HostEvaluator;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Op.UnaryKind;
import dev.caldera.graph.Value;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Recognises GELU in its erf and tanh forms, in whatever order their factors are written.
 *
 * <p>Around each erf or tanh, every pair of a value before it and a value after it is tried, the
 * widest first: if one is a pointwise function of the other alone and equals GELU at sample points
 * to float precision, it is GELU.
 */
public final class FuseGelu implements Rewrite {

  private static final int MAX_DEPTH = 7;
  private static final float TOLERANCE = 2e-6f;
  private static final float[] SAMPLES = {
    -9, -5, -3.5f, -2.25f, -1.5f, -1, -0.7f, -0.3f, -0.01f, 0, 0.02f, 0.4f, 0.8f, 1.1f, 1.9f, 2.7f,
    4.5f, 8
  };

  @Override
  public String name() {
    return "fuse GELU";
  }

  @Override
  public Result apply(Graph graph) {
    GraphEdit edit = new GraphEdit(graph);
    for (Node node : edit.nodes()) {
      if (node.op().equals(Patterns.unary(UnaryKind.ERF))) {
        fuse(edit, node, UnaryKind.GELU_ERF);
      } else if (node.op().equals(Patterns.unary(UnaryKind.TANH))) {
        fuse(edit, node, UnaryKind.GELU_TANH);
      }
    }
    return edit.finish();
  }

  private static void fuse(GraphEdit edit, Node anchor, UnaryKind kind) {
    List<Value> ends = List.copyOf(after(edit, anchor.output()));
    List<Value> starts = List.copyOf(before(edit, anchor.input(0)));
    for (int e = ends.size() - 1; e >= 0; e--) {
      for (int s = starts.size() - 1; s >= 0; s--) {
        Node last = edit.producer(ends.get(e)).orElseThrow();
        Optional<PointwiseFunction> function =
            PointwiseFunction.between(edit, starts.get(s), ends.get(e))
                .filter(f -> f.interior().contains(anchor))
                .filter(f -> edit.isClosed(f.interior(), last))
                .filter(f -> isEqual(f, kind));
        if (function.isPresent()) {
          edit.replace(last, new Op.Unary(kind), starts.get(s));
          return;
        }
      }
    }
  }

  /** The values computed from one by binary ops, near ones first. */
  private static Set<Value> after(GraphEdit edit, Value value) {
    Set<Value> found = new LinkedHashSet<>();
    List<Value> ring = List.of(value);
    for (int depth = 0; depth < MAX_DEPTH && !ring.isEmpty(); depth++) {
      ring =
          ring.stream()
              .flatMap(v -> edit.consumers(v).stream())
              .filter(n -> n.op() instanceof Op.Binary)
              .map(Node::output)
              .filter(found::add)
              .toList();
    }
    return found;
  }

  /** A value and those that it is computed from by pointwise ops, near ones first. */
  private static Set<Value> before(GraphEdit edit, Value value) {
    Set<Value> found = new LinkedHashSet<>(List.of(value));
    List<Value> ring = List.of(value);
    for (int depth = 0; depth < MAX_DEPTH && !ring.isEmpty(); depth++) {
      ring =
          ring.stream()
              .flatMap(v -> edit.producer(v).stream())
              .filter(n -> n.op() instanceof Op.Binary || n.op() instanceof Op.Unary)
              .flatMap(n -> n.inputs().stream())
              .filter(v -> !edit.isConstant(v) && found.add(v))
              .toList();
    }
    return found;
  }

  private static boolean isEqual(PointwiseFunction function, UnaryKind kind) {
    float[] actual = function.at(SAMPLES);
    HostTensor expected =
        HostEvaluator.apply(new Op.Unary(kind), HostTensor.floats(SAMPLES, SAMPLES.length));
    for (int i = 0; i < actual.length; i++) {
      float difference = Math.abs(actual[i] - expected.floatAt(i));
      if (!(difference <= TOLERANCE * Math.max(1, Math.abs(expected.floatAt(i))))) {
        return false;
      }
    }
    return true;
  }
}
