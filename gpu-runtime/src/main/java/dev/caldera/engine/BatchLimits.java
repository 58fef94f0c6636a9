package dev.caldera.engine;

/**
 * The most that one batch carries.
 *
 * @param tokens tokens, unless a single text has more
 * @param texts texts; bounds the memory that vectors take, which few short texts would fill
 */
record BatchLimits(int tokens, int texts) {
  private static final int TOKENS_A_TEXT = 4;

  /** Limits for a batch of {@code tokens} tokens: a text for every four of them. */
  static BatchLimits ofTokens(int tokens) {
    return new BatchLimits(tokens, Math.max(1, tokens / TOKENS_A_TEXT));
  }
}
