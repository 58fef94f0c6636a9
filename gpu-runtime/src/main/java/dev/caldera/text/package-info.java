/**
 * Tokenizers: texts to token ids, without padding.
 *
 * <pre>{@code
 * try (Tokenizer tokenizer = Tokenizer.open(Path.of("model/tokenizer.json"), 256)) {
 *   TokenBatch tokens = tokenizer.encode(List.of("a good book", "a bad one"));
 *   log.info("{} texts, {} tokens, {} cut", tokens.texts(), tokens.tokens(), tokens.truncated());
 * }
 * }</pre>
 */
@NullMarked
package dev.caldera.text;

import org.jspecify.annotations.NullMarked;
