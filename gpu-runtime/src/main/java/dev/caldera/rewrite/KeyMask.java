package dev.caldera.rewrite;

import dev.caldera.graph.DType;
import dev.caldera.graph.Graph;
import dev.caldera.graph.HostEvaluator;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.TensorData;
import dev.caldera.graph.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoublePredicate;

/**
 * Proves that a value [B or 1, 1 or heads, 1 or S, S] hides just the keys whose attention mask is
 * 0.
 *
 * <p>What computes it must read nothing but the attention mask [B, S] and constants, by pointwise
 * and moving ops. It is then evaluated for each mask of 2 sequences of 3 tokens: element (b, h, q,
 * k) must be what hides a key where mask[b, k] is 0, and what shows it where it is 1.
 */
final class KeyMask {

  /** The input of 1 for each token, 0 for padding. */
  static final String ATTENTION_MASK = "attention_mask";

  /** A score this low gives a key the weight 0 in F32 beside any visible key. */
  private static final double HIDDEN = -9_000;

  private static final int BATCH = 2;
  private static final int SEQUENCE = 3;

  private final GraphEdit edit;
  private final Map<List<Object>, Optional<Value>> proven = new HashMap<>();

  KeyMask(GraphEdit edit) {
    this.edit = edit;
  }

  /** The attention mask, if {@code summand} adds 0 to shown keys' scores and hides the others. */
  Optional<Value> ofSummand(Value summand) {
    return proven.computeIfAbsent(
        List.of(summand, "summand"), k -> prove(summand, x -> x == 0, x -> x <= HIDDEN));
  }

  /** The attention mask, if {@code condition} is {@code whenShown} for shown keys only. */
  Optional<Value> ofCondition(Value condition, long whenShown) {
    return proven.computeIfAbsent(
        List.of(condition, whenShown),
        k -> prove(condition, x -> x == whenShown, x -> x == 1 - whenShown));
  }

  private Optional<Value> prove(Value value, DoublePredicate shown, DoublePredicate hidden) {
    Set<Node> cone = new LinkedHashSet<>();
    Set<Value> roots = new LinkedHashSet<>();
    if (!collect(value, cone, roots) || roots.size() != 1) {
      return Optional.empty();
    }
    Value mask = roots.iterator().next();
    if (!mask.name().equals(ATTENTION_MASK) || mask.type().shape().rank() != 2) {
      return Optional.empty();
    }
    Graph graph = graph(value, mask, cone);
    for (int bits = 0; bits < 1 << (BATCH * SEQUENCE); bits++) {
      long[] masks = new long[BATCH * SEQUENCE];
      for (int i = 0; i < masks.length; i++) {
        masks[i] = bits >> i & 1;
      }
      if (!holds(graph, mask, masks, shown, hidden)) {
        return Optional.empty();
      }
    }
    return Optional.of(mask);
  }

  private boolean collect(Value value, Set<Node> cone, Set<Value> roots) {
    if (edit.isConstant(value)) {
      return true;
    }
    Optional<Node> node = edit.producer(value);
    if (node.isEmpty()) {
      roots.add(value);
      return true;
    }
    boolean known =
        node.get().op() instanceof Op.Unary
            || node.get().op() instanceof Op.Binary
            || node.get().op() instanceof Op.Cast
            || node.get().op() instanceof Op.Where
            || node.get().op() instanceof Op.Reshape
            || node.get().op() instanceof Op.Expand;
    if (!known) {
      return false;
    }
    boolean all = node.get().inputs().stream().allMatch(v -> collect(v, cone, roots));
    cone.add(node.get());
    return all;
  }

  private Graph graph(Value value, Value mask, Set<Node> cone) {
    Map<Value, TensorData> constants = new HashMap<>();
    for (Node node : cone) {
      for (Value input : node.inputs()) {
        edit.constant(input).ifPresent(c -> constants.put(input, c.toData()));
      }
    }
    List<Node> nodes = new ArrayList<>(cone);
    nodes.sort(Comparator.comparingInt(edit.nodes()::indexOf));
    return new Graph("mask", List.of(mask), constants, nodes, List.of(value), Map.of());
  }

  private static boolean holds(
      Graph graph, Value mask, long[] masks, DoublePredicate shown, DoublePredicate hidden) {
    DType dtype = mask.type().dtype();
    long[] dims = {BATCH, SEQUENCE};
    HostTensor input =
        dtype.isFloat()
            ? HostEvaluator.apply(new Op.Cast(dtype), HostTensor.integers(DType.I64, masks, dims))
            : HostTensor.integers(dtype, masks, dims);
    HostTensor result = HostEvaluator.evaluateSingle(graph, Map.of(mask.name(), input));
    if (result.rank() != 4 || result.dim(0) != BATCH || result.dim(3) != SEQUENCE) {
      return false;
    }
    int perBatch = result.size() / BATCH;
    for (int i = 0; i < result.size(); i++) {
      boolean isShown = masks[i / perBatch * SEQUENCE + i % SEQUENCE] != 0;
      if (!(isShown ? shown : hidden).test(result.valueAt(i))) {
        return false;
      }
    }
    return true;
  }
}
