package dev.caldera.rewrite;

import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorType;
import dev.caldera.graph.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Turns an encoder over padded sequences [batch, sequence, ..] into one over packed rows [tokens,
 * ..], so that padding is neither computed nor stored.
 *
 * <p>Inputs become {@link #TOKEN_IDS}, {@link #POSITIONS} and {@link #TYPE_IDS}, i32 [tokens], and
 * {@link #STARTS}, i32 [sequences + 1]. Attention, which must be fused before, becomes attention
 * within [starts[i], starts[i + 1]), and the attention mask is not needed. Every other op must work
 * on each row by itself; one that does not is an error that names the node.
 */
public final class PackSequences implements Rewrite {

  /** Input of the packed graph: the vocabulary index of each token. */
  public static final String TOKEN_IDS = "tokenIds";

  /** Input of the packed graph: the row of the position table for each token. */
  public static final String POSITIONS = "positions";

  /** Input of the packed graph: the token type of each token. */
  public static final String TYPE_IDS = "typeIds";

  /** Input of the packed graph: where each sequence starts, and the number of tokens. */
  public static final String STARTS = "starts";

  /** Symbol of the packed graph: the number of tokens. */
  public static final String TOKENS = "tokens";

  /** Symbol of the packed graph: the number of sequences. */
  public static final String SEQUENCES = "sequences";

  private static final String INPUT_IDS = "input_ids";

  /** Inputs of the padded graph, and what they become. */
  private static final Map<String, String> PACKED =
      Map.of(INPUT_IDS, TOKEN_IDS, "token_type_ids", TYPE_IDS, "position_ids", POSITIONS);

  @Override
  public String name() {
    return "pack sequences";
  }

  @Override
  public Result apply(Graph graph) {
    Value ids = ids(graph);
    SequencePacker packer =
        new SequencePacker(graph, ids.type().shape().dim(0), ids.type().shape().dim(1));
    for (Value input : graph.inputs()) {
      String packed = PACKED.get(input.name());
      if (packed != null && input.type().shape().equals(ids.type().shape())) {
        packer.define(input, packed);
      } else if (input.name().equals(KeyMask.ATTENTION_MASK)) {
        packer.defineMask(input);
      } else {
        throw new IllegalArgumentException(
            "Cannot pack sequences of graph "
                + graph.name()
                + ": input "
                + input
                + " is none of input_ids, attention_mask, token_type_ids and position_ids, each "
                + ids.type().shape());
      }
    }
    return new Result(packer.run(), graph.nodes().size());
  }

  /**
   * The number of a sequence's first position in a padded graph, where the graph itself counts
   * positions; 0 where they are an input or not used.
   *
   * @throws IllegalArgumentException if it counts them from several numbers, or has no input_ids
   */
  public static long positionOffset(Graph graph) {
    Dim sequence = ids(graph).type().shape().dim(1);
    Set<Long> offsets = new HashSet<>(PositionIds.find(graph, sequence).values());
    if (offsets.size() > 1) {
      throw new IllegalArgumentException(
          "Cannot pack sequences of graph "
              + graph.name()
              + ": it counts positions from each of "
              + offsets);
    }
    return offsets.isEmpty() ? 0 : offsets.iterator().next();
  }

  /** The largest length of a sequence that a padded graph can take, if it limits it. */
  public static OptionalLong longestSequence(Graph graph) {
    Dim sequence = ids(graph).type().shape().dim(1);
    Long limit = graph.limits().get(sequence.toString());
    return limit == null ? OptionalLong.empty() : OptionalLong.of(limit);
  }

  private static Value ids(Graph graph) {
    Optional<Value> ids =
        graph.inputs().stream().filter(v -> v.name().equals(INPUT_IDS)).findFirst();
    boolean padded =
        ids.map(Value::type)
            .filter(t -> !t.dtype().isFloat() && t.shape().rank() == 2)
            .filter(t -> t.shape().dims().stream().allMatch(d -> d instanceof Dim.Symbol))
            .isPresent();
    if (!padded) {
      throw new IllegalArgumentException(
          "Cannot pack sequences of graph "
              + graph.name()
              + ": it needs an input input_ids of integers [batch, sequence], both open, but has "
              + graph.inputs());
    }
    return ids.orElseThrow();
  }

  /** The packed inputs, in their order. */
  static List<Value> inputs() {
    Dim tokens = Dim.symbol(TOKENS);
    Dim starts = Dim.sum(Dim.symbol(SEQUENCES), Dim.fixed(1));
    return List.of(
        input(TOKEN_IDS, tokens),
        input(POSITIONS, tokens),
        input(TYPE_IDS, tokens),
        input(STARTS, starts));
  }

  private static Value input(String name, Dim size) {
    return new Value(name, new TensorType(DType.I32, Shape.of(size)));
  }
}
