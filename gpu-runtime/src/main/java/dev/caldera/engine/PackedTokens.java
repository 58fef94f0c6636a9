package dev.caldera.engine;

import java.util.Arrays;

/**
 * A batch as its graph's inputs want it; reused from batch to batch by one worker. Only the first
 * {@code tokens} (of {@code starts}: texts + 1) elements of the arrays belong to the batch.
 */
final class PackedTokens {
  private int[] ids = new int[0];
  private int[] positions = new int[0];
  private int[] types = new int[0];
  private int[] starts = new int[0];

  /**
   * Packs a batch's texts one after another.
   *
   * @param positionOffset position of a text's first token
   */
  void pack(Batch batch, int positionOffset) {
    reserve(batch.tokens(), batch.texts());
    int token = 0;
    int text = 0;
    starts[0] = 0;
    for (Part part : batch.parts()) {
      int[] from = part.request().tokens().starts();
      System.arraycopy(part.request().tokens().ids(), from[part.from()], ids, token, part.tokens());
      for (int i = part.from(); i < part.to(); i++) {
        for (int position = 0; position < from[i + 1] - from[i]; position++) {
          positions[token++] = positionOffset + position;
        }
        starts[++text] = token;
      }
    }
  }

  private void reserve(int tokens, int texts) {
    if (ids.length < tokens) {
      int size = Math.max(tokens, ids.length * 2);
      ids = new int[size];
      positions = new int[size];
      types = new int[size];
    }
    if (starts.length < texts + 1) {
      starts = Arrays.copyOf(starts, Math.max(texts + 1, starts.length * 2));
    }
  }

  int[] ids() {
    return ids;
  }

  int[] positions() {
    return positions;
  }

  /** All 0. */
  int[] types() {
    return types;
  }

  int[] starts() {
    return starts;
  }
}
