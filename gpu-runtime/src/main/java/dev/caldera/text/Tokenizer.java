package dev.caldera.text;

import java.nio.file.Path;
import java.util.List;

/**
 * Turns texts into the token ids that a model was trained on, special tokens added.
 *
 * <pre>{@code
 * try (Tokenizer tokenizer = Tokenizer.open(Path.of("model/tokenizer.json"), 256)) {
 *   TokenBatch tokens = tokenizer.encode(List.of("a good book", "a bad one"));
 * }
 * }</pre>
 *
 * <p>Thread-safe: any number of threads may encode at a time, each on its own. Closing waits for
 * encodings under way.
 */
public interface Tokenizer extends AutoCloseable {

  /**
   * Opens a Hugging Face {@code tokenizer.json}. The file's own truncation and padding are not
   * used: texts are cut at {@code maxTokens} and never padded.
   *
   * @param file the tokenizer
   * @param maxTokens the most tokens a text may have, special tokens counted
   * @throws IllegalArgumentException if the file is missing, unreadable or not a tokenizer, or
   *     {@code maxTokens} leaves no room beside the special tokens; names the file
   */
  static Tokenizer open(Path file, int maxTokens) {
    return LibraryTokenizer.open(file, maxTokens);
  }

  /**
   * Tokenises on the calling thread. An empty text has only special tokens. A lone surrogate counts
   * as U+FFFD. A text of more than {@link #maxTokens()} tokens is cut there and counted in {@link
   * TokenBatch#truncated()}.
   *
   * @throws NullPointerException if a text is null
   * @throws IllegalStateException if the tokenizer is closed
   */
  TokenBatch encode(List<String> texts);

  /** The most tokens a text may have, special tokens counted. */
  int maxTokens();

  @Override
  void close();
}
