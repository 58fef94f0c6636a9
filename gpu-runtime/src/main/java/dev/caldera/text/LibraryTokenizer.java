package dev.caldera.text;

import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * A tokenizer of the Hugging Face library, through DJL's native calls.
 *
 * <p>Of the library's answer only the ids are fetched: DJL's {@code HuggingFaceTokenizer} makes
 * eight arrays, a string and a span for each token besides, which takes as long as the tokenising.
 * Its defaults of truncation and padding do not apply here either.
 *
 * <p>The library aborts the process where it does not expect a value, so all that it is given is
 * checked here: no call after close, no length below what the special tokens need.
 *
 * <p><b>Long texts.</b> The library tokenises a whole text before it cuts it. So of a long text
 * only a first part is given to it, ending at a space: where that part alone has more tokens than
 * wanted, the rest cannot matter; else a longer part is tried. Of a text over {@link #READ_LIMIT}
 * characters the rest is never read, and it counts as truncated.
 */
final class LibraryTokenizer implements Tokenizer {
  /** Characters of a text that are read at most; bounds the library's memory. */
  static final int READ_LIMIT = 1 << 22;

  private static final int FIRST_PART = 1 << 13;
  private static final int CHARACTERS_A_TOKEN = 32;

  private final TokenizersLibrary library;
  private final Path file;
  private final int maxTokens;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final long handle;
  private boolean closed;

  private LibraryTokenizer(TokenizersLibrary library, Path file, int maxTokens, long handle) {
    this.library = library;
    this.file = file;
    this.maxTokens = maxTokens;
    this.handle = handle;
  }

  static LibraryTokenizer open(Path file, int maxTokens) {
    String json = read(file);
    TokenizersLibrary library = NativeTokenizers.library();
    long handle;
    try {
      handle = library.createTokenizerFromString(json);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "Cannot read tokenizer " + file + ": " + e.getMessage() + "; a tokenizer.json is wanted",
          e);
    }
    LibraryTokenizer tokenizer = new LibraryTokenizer(library, file, maxTokens, handle);
    try {
      tokenizer.configure();
      return tokenizer;
    } catch (RuntimeException e) {
      tokenizer.close();
      throw e;
    }
  }

  private static String read(Path file) {
    if (!Files.isRegularFile(file)) {
      throw new IllegalArgumentException(
          "Cannot read tokenizer " + file + ": there is no such file");
    }
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalArgumentException("Cannot read tokenizer " + file + ": " + e, e);
    }
  }

  private void configure() {
    library.disablePadding(handle);
    library.disableTruncation(handle);
    int special = ids("").length;
    if (maxTokens <= special) {
      throw new IllegalArgumentException(
          "Cannot use tokenizer "
              + file
              + " with at most "
              + maxTokens
              + " tokens a text: "
              + special
              + " special tokens are added to each, so at least "
              + (special + 1)
              + " are needed");
    }
    library.setTruncation(handle, maxTokens, "LONGEST_FIRST", 0);
  }

  private long[] ids(String text) {
    long encoding = library.encode(handle, text, true);
    try {
      return library.getTokenIds(encoding);
    } finally {
      library.deleteEncoding(encoding);
    }
  }

  @Override
  public TokenBatch encode(List<String> texts) {
    lock.readLock().lock();
    try {
      if (closed) {
        throw new IllegalStateException("Cannot tokenize with " + file + ": it is closed");
      }
      Collector collector = new Collector(texts.size());
      for (String text : texts) {
        encode(Objects.requireNonNull(text, "Cannot tokenize a text that is null"), collector);
      }
      return collector.batch();
    } finally {
      lock.readLock().unlock();
    }
  }

  private void encode(String text, Collector collector) {
    long part = Math.max(FIRST_PART, (long) maxTokens * CHARACTERS_A_TOKEN);
    while (true) {
      int end = end(text, part);
      long encoding = encodePart(Surrogates.replaceLone(text.substring(0, end)));
      try {
        boolean cut = library.getOverflowCount(encoding) > 0;
        if (cut || end == Math.min(text.length(), READ_LIMIT)) {
          collector.add(library.getTokenIds(encoding), cut || end < text.length());
          return;
        }
      } finally {
        library.deleteEncoding(encoding);
      }
      part *= 4;
    }
  }

  private long encodePart(String text) {
    try {
      return library.encode(handle, text, true);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "Cannot tokenize a text of "
              + text.length()
              + " characters with "
              + file
              + ": "
              + e.getMessage(),
          e);
    }
  }

  /**
   * Where the first part of {@code text} ends: the last space of the second half of {@code part}
   * characters, or {@code READ_LIMIT} where a part as long has none.
   */
  private static int end(String text, long part) {
    for (long size = part; size < Math.min(text.length(), READ_LIMIT); size *= 4) {
      for (int i = (int) size; i > size / 2; i--) {
        char c = text.charAt(i);
        if (c == ' ' || c == '\n' || c == '\t') {
          return i;
        }
      }
    }
    return Math.min(text.length(), READ_LIMIT);
  }

  @Override
  public int maxTokens() {
    return maxTokens;
  }

  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        library.deleteTokenizer(handle);
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Ids of text after text, in arrays that grow. */
  private static final class Collector {
    private static final int USUAL_TOKENS = 32;

    private final int[] starts;
    private int[] ids;
    private int texts;
    private int truncated;

    Collector(int texts) {
      starts = new int[texts + 1];
      ids = new int[Math.multiplyExact(texts, USUAL_TOKENS)];
    }

    void add(long[] text, boolean cut) {
      int start = starts[texts];
      int end = Math.addExact(start, text.length);
      if (end > ids.length) {
        ids = Arrays.copyOf(ids, Math.max(end, ids.length + ids.length / 2));
      }
      for (int i = 0; i < text.length; i++) {
        ids[start + i] = Math.toIntExact(text[i]);
      }
      starts[++texts] = end;
      if (cut) {
        truncated++;
      }
    }

    TokenBatch batch() {
      return new TokenBatch(ids, starts, truncated);
    }
  }
}
