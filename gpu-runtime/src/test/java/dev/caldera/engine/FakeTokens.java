package dev.caldera.engine;

import dev.caldera.text.TokenBatch;

/** Token batches without a tokenizer. */
final class FakeTokens {
  private FakeTokens() {}

  /** Texts of the given lengths; the ids of text i are all i. */
  static TokenBatch ofLengths(int... lengths) {
    int[] starts = new int[lengths.length + 1];
    for (int i = 0; i < lengths.length; i++) {
      starts[i + 1] = starts[i] + lengths[i];
    }
    int[] ids = new int[starts[lengths.length]];
    for (int i = 0; i < lengths.length; i++) {
      java.util.Arrays.fill(ids, starts[i], starts[i + 1], i);
    }
    return new TokenBatch(ids, starts, 0);
  }

  /** {@code texts} texts of {@code length} tokens each. */
  static TokenBatch equal(int texts, int length) {
    int[] lengths = new int[texts];
    java.util.Arrays.fill(lengths, length);
    return ofLengths(lengths);
  }
}
