package dev.caldera.engine;

/**
 * Neighbouring texts of one request that a batch carries.
 *
 * @param from the first text
 * @param to one past the last text
 */
record Part(Request request, int from, int to) {

  /** The number of texts. */
  int texts() {
    return to - from;
  }

  /** The number of tokens. */
  int tokens() {
    int[] starts = request.tokens().starts();
    return starts[to] - starts[from];
  }
}
