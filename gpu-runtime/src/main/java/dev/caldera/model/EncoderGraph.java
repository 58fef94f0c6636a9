package dev.caldera.model;

import dev.caldera.graph.Graph;
import dev.caldera.rewrite.PackSequences;

/**
 * An encoder as a graph over packed sequences, ready to be planned.
 *
 * <p>T stands for the symbol {@link #TOKENS}, all tokens of a batch, and R for {@link #SEQUENCES},
 * its sequences. The inputs are {@link #TOKEN_IDS}, {@link #POSITIONS} and {@link #TYPE_IDS}, each
 * i32 [T], and {@link #STARTS}, i32 [R + 1]: sequence i holds rows [starts[i], starts[i + 1]). A
 * token's position is its index in its sequence plus {@code positionOffset}; its type is 0 for a
 * single text. The output is {@link #EMBEDDINGS}, f32 [R, width].
 *
 * @param graph the rewritten graph
 * @param width columns of a vector
 * @param maxTokens the most tokens of one sequence, by the model's position table
 * @param positionOffset position of a sequence's first token
 */
public record EncoderGraph(Graph graph, int width, int maxTokens, int positionOffset) {

  /** Input: the vocabulary index of each token. */
  public static final String TOKEN_IDS = PackSequences.TOKEN_IDS;

  /** Input: the row of the position table for each token. */
  public static final String POSITIONS = PackSequences.POSITIONS;

  /** Input: the token type of each token. */
  public static final String TYPE_IDS = PackSequences.TYPE_IDS;

  /** Input: where each sequence starts, and the number of tokens behind the last. */
  public static final String STARTS = PackSequences.STARTS;

  /** Output: one vector a sequence. */
  public static final String EMBEDDINGS = "embeddings";

  /** Symbol: the number of tokens. */
  public static final String TOKENS = PackSequences.TOKENS;

  /** Symbol: the number of sequences. */
  public static final String SEQUENCES = PackSequences.SEQUENCES;
}
