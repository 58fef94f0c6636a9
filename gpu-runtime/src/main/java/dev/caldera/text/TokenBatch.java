package dev.caldera.text;

/**
 * The tokens of some texts, without padding.
 *
 * @param ids token ids of all texts, one after another; at least {@code starts[texts]} long
 * @param starts text i holds ids [starts[i], starts[i + 1]); length texts + 1
 * @param truncated how many texts were cut at the maximum length
 */
public record TokenBatch(int[] ids, int[] starts, int truncated) {

  /** The number of texts. */
  public int texts() {
    return starts.length - 1;
  }

  /** The number of tokens. */
  public int tokens() {
    return starts[starts.length - 1];
  }
}
