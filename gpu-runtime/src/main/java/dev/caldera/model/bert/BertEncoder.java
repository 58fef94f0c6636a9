package dev.caldera.model.bert;

import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.GraphBuilder;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import dev.caldera.graph.Value;
import dev.caldera.model.EncoderGraph;
import dev.caldera.model.onnx.OnnxLoader;
import dev.caldera.rewrite.PackSequences;
import dev.caldera.rewrite.Rewrites;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Makes an encoder of the BERT family out of its ONNX export.
 *
 * <p>The export must have inputs input_ids, attention_mask and, if it knows types, token_type_ids,
 * each [batch, sequence], and an output last_hidden_state [batch, sequence, width] (another name
 * will do if it is the only output). Its ops are fused, its sequences packed, and a pooling of each
 * sequence's rows is put behind it.
 */
public final class BertEncoder {

  private static final String HIDDEN_STATE = "last_hidden_state";

  private BertEncoder() {}

  /**
   * Loads a model.
   *
   * @param onnx the export
   * @param pool how the vectors of a sequence's tokens become one
   * @throws IllegalArgumentException if the file cannot be imported ({@link
   *     dev.caldera.model.onnx.OnnxException}) or is not such an encoder; says why
   */
  public static EncoderGraph load(Path onnx, Op.Pool pool) {
    return pack(OnnxLoader.load(onnx), pool);
  }

  static EncoderGraph pack(Graph template, Op.Pool pool) {
    Graph padded = Rewrites.fuse().run(withHiddenStateOnly(template));
    int positionOffset = Math.toIntExact(PackSequences.positionOffset(padded));
    long limit = PackSequences.longestSequence(padded).orElse(Long.MAX_VALUE);
    Graph packed = Rewrites.pack().run(padded);
    long rows = Math.min(limit, positionRows(packed) - positionOffset);
    if (rows == Long.MAX_VALUE - positionOffset || rows <= 0) {
      throw new IllegalArgumentException(
          "Cannot use model "
              + template.name()
              + " as an encoder: it has no position table that tells its longest sequence");
    }
    Graph pooled = append(packed, pool);
    int width =
        Math.toIntExact(pooled.outputs().get(0).type().shape().columns().evaluate(Map.of()));
    return new EncoderGraph(pooled, width, Math.toIntExact(rows), positionOffset);
  }

  private static Graph withHiddenStateOnly(Graph template) {
    List<Value> outputs = template.outputs();
    Value output =
        outputs.stream()
            .filter(v -> v.name().equals(HIDDEN_STATE))
            .findFirst()
            .orElse(outputs.get(0));
    boolean isChosen = outputs.size() == 1 || output.name().equals(HIDDEN_STATE);
    Shape shape = output.type().shape();
    boolean isHidden =
        shape.rank() == 3
            && output.type().dtype().isFloat()
            && shape.dim(0) instanceof Dim.Symbol
            && shape.dim(1) instanceof Dim.Symbol
            && shape.dim(2) instanceof Dim.Fixed;
    if (!isChosen || !isHidden) {
      throw new IllegalArgumentException(
          "Cannot use model "
              + template.name()
              + " as an encoder: it needs an output last_hidden_state [batch, sequence, width], but"
              + " has "
              + outputs);
    }
    return new Graph(
        template.name(),
        template.inputs(),
        template.constants(),
        template.nodes(),
        List.of(output),
        template.limits());
  }

  /** Rows of the position table, where the embedding is fused. */
  private static long positionRows(Graph packed) {
    return packed.nodes().stream()
        .filter(node -> node.op() instanceof Op.EmbeddingNorm)
        .mapToLong(node -> node.input(4).type().shape().dim(0).evaluate(Map.of()))
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private static Graph append(Graph packed, Op.Pool pool) {
    GraphBuilder builder = new GraphBuilder(packed.name());
    packed.inputs().forEach(v -> builder.input(v.name(), v.type()));
    packed.constants().forEach((v, data) -> builder.constant(v.name(), v.type(), data));
    for (Node node : packed.nodes()) {
      List<String> outputs = node.outputs().stream().map(Value::name).toList();
      builder.add(node.name(), node.op(), node.inputs(), outputs);
    }
    Value starts =
        packed.inputs().stream()
            .filter(v -> v.name().equals(EncoderGraph.STARTS))
            .findFirst()
            .orElseThrow();
    Value hidden = packed.outputs().get(0);
    builder.output(builder.add(EncoderGraph.EMBEDDINGS, pool, hidden, starts));
    return builder.build();
  }
}
