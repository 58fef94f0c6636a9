package dev.caldera.engine;

import dev.caldera.backend.Device.Program;
import java.util.Map;

/** What running a batch needs of a model. */
interface EncoderModel {
  /** Symbol of the packed batch's tokens. */
  String TOKENS = "tokens";

  /** Symbol of the packed batch's sequences. */
  String SEQUENCES = "sequences";

  /** Graph input: the token ids, i32 [tokens]. */
  String TOKEN_IDS = "tokenIds";

  /** Graph input: each token's place in its text, from 0, i32 [tokens]. */
  String POSITIONS = "positions";

  /** Graph input: each token's segment, i32 [tokens]; always 0 here. */
  String TYPE_IDS = "typeIds";

  /** Graph input: where each text begins, and the end of the last, i32 [sequences + 1]. */
  String STARTS = "starts";

  /** Graph output: a vector a text, f32 [sequences, width]. */
  String EMBEDDINGS = "embeddings";

  /** Name for messages. */
  String name();

  /** Columns of a vector. */
  int width();

  /**
   * The program of the shape bucket that {@code sizes} fall in.
   *
   * @param sizes the batch's {@link #TOKENS} and {@link #SEQUENCES}
   */
  Program program(Map<String, Long> sizes);
}
