package dev.caldera.rewrite;

import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Op.BinaryKind;
import dev.caldera.graph.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Recognises the layer normalisation of a sum of rows looked up by token, position and type in a
 * packed graph as {@link Op.EmbeddingNorm}. A model without types gets a table of one zero row.
 */
public final class FuseEmbedding implements Rewrite {

  @Override
  public String name() {
    return "fuse embedding";
  }

  @Override
  public Result apply(Graph graph) {
    GraphEdit edit = new GraphEdit(graph);
    for (Node node : edit.nodes()) {
      if (node.op() instanceof Op.LayerNorm norm) {
        fuse(edit, node, norm.epsilon(), node.inputs().subList(0, 1), 1);
      } else if (node.op() instanceof Op.AddLayerNorm norm) {
        fuse(edit, node, norm.epsilon(), node.inputs().subList(0, 2), 2);
      }
    }
    return edit.finish();
  }

  private static void fuse(
      GraphEdit edit, Node node, float epsilon, List<Value> summands, int gamma) {
    List<Node> interior = new ArrayList<>();
    Map<String, Value> tables = new HashMap<>();
    Map<String, Value> indices = new HashMap<>();
    edit.graph().inputs().forEach(v -> indices.put(v.name(), v));
    for (Value summand : summands) {
      if (!collect(edit, summand, interior, tables)) {
        return;
      }
    }
    Value words = tables.get(PackSequences.TOKEN_IDS);
    Value positions = tables.get(PackSequences.POSITIONS);
    Value typeIds = indices.get(PackSequences.TYPE_IDS);
    if (words == null || positions == null || typeIds == null || !edit.isClosed(interior, node)) {
      return;
    }
    Value types =
        Optional.ofNullable(tables.get(PackSequences.TYPE_IDS)).orElseGet(() -> zeros(edit, node));
    edit.replace(
        node,
        new Op.EmbeddingNorm(epsilon),
        lookup(indices, PackSequences.TOKEN_IDS),
        lookup(indices, PackSequences.POSITIONS),
        typeIds,
        words,
        positions,
        types,
        node.input(gamma),
        node.input(gamma + 1));
  }

  private static Value lookup(Map<String, Value> indices, String name) {
    return Optional.ofNullable(indices.get(name)).orElseThrow();
  }

  private static Value zeros(GraphEdit edit, Node node) {
    int width = (int) ((Dim.Fixed) node.output().type().shape().dim(-1)).size();
    return edit.addConstant(
        node.name() + ".noTypes", HostTensor.floats(new float[width], 1, width));
  }

  /**
   * Collects the tables of a sum of look-ups, by the name of the input that they are indexed by.
   */
  private static boolean collect(
      GraphEdit edit, Value value, List<Node> interior, Map<String, Value> tables) {
    Optional<Node> sum = edit.producer(value, Patterns.binary(BinaryKind.ADD));
    if (sum.isPresent()) {
      interior.add(sum.get());
      return collect(edit, sum.get().input(0), interior, tables)
          && collect(edit, sum.get().input(1), interior, tables);
    }
    Optional<Node> gather = edit.producer(value, new Op.Gather(0));
    if (gather.isEmpty()) {
      return false;
    }
    interior.add(gather.get());
    Value table = gather.get().input(0);
    Value index = gather.get().input(1);
    return edit.isConstant(table)
        && table.type().shape().rank() == 2
        && edit.graph().inputs().contains(index)
        && tables.put(index.name(), table) == null;
  }
}
