package dev.caldera.engine;

import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Value;
import dev.caldera.model.EncoderGraph;
import dev.caldera.text.TokenBatch;
import java.util.ArrayList;
import java.util.List;

/**
 * What token batches a model can take. Kernels look token ids up without a check of their own, so
 * that every batch is checked before it is handed over.
 *
 * @param model its name, for messages
 * @param words rows of the smallest table that token ids are looked up in
 * @param maxTokens the most tokens of a text
 */
record Vocabulary(String model, long words, int maxTokens) {

  /**
   * The vocabulary of a graph.
   *
   * @throws IllegalArgumentException if no table that token ids are looked up in is found
   */
  static Vocabulary of(String model, Graph graph, int maxTokens) {
    List<Value> tables = new ArrayList<>();
    for (Node node : graph.nodes()) {
      if (node.op() instanceof Op.EmbeddingNorm && isTokenIds(node.input(0))) {
        tables.add(node.input(3));
      } else if (node.op() instanceof Op.Gather && isTokenIds(node.input(1))) {
        tables.add(node.input(0));
      }
    }
    long words =
        tables.stream()
            .map(table -> table.type().shape().dim(0))
            .mapToLong(rows -> rows instanceof Dim.Fixed known ? known.size() : 0)
            .min()
            .orElse(0);
    if (words == 0) {
      throw new IllegalArgumentException(
          "Cannot use model " + model + ": it looks token ids up in no table of a known size");
    }
    return new Vocabulary(model, words, maxTokens);
  }

  private static boolean isTokenIds(Value value) {
    return value.name().equals(EncoderGraph.TOKEN_IDS);
  }

  /**
   * Checks a batch.
   *
   * @throws IllegalArgumentException naming text and value, if it is not well formed, has a text
   *     without tokens or with too many, or an id that the model has no word for
   */
  void check(TokenBatch tokens) {
    int[] starts = tokens.starts();
    if (starts.length == 0 || starts[0] != 0 || tokens.tokens() > tokens.ids().length) {
      throw new IllegalArgumentException(
          "Cannot embed tokens: starts must go from 0 to at most the number of ids, "
              + tokens.ids().length);
    }
    for (int text = 0; text < tokens.texts(); text++) {
      long length = (long) starts[text + 1] - starts[text];
      if (length < 1 || length > maxTokens) {
        throw new IllegalArgumentException(
            "Cannot embed text "
                + text
                + " of "
                + length
                + " tokens: "
                + model
                + " takes 1 to "
                + maxTokens);
      }
      for (int i = starts[text]; i < starts[text + 1]; i++) {
        if (tokens.ids()[i] < 0 || tokens.ids()[i] >= words) {
          throw new IllegalArgumentException(
              "Cannot embed text "
                  + text
                  + " with token "
                  + tokens.ids()[i]
                  + ": the vocabulary of "
                  + model
                  + " has tokens 0 to "
                  + (words - 1)
                  + "; its tokenizer may belong to another model");
        }
      }
    }
  }
}
