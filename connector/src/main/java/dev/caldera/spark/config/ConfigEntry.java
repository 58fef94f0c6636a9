package dev.caldera.spark.config;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A setting: its key, what it means, its default, and how its text is read.
 *
 * @param <T> type of the value
 */
public final class ConfigEntry<T> {

  /** Where a setting takes effect. */
  public enum Scope {
    /** Read once when an executor starts; set it before Spark starts. */
    EXECUTOR("when Spark starts"),
    /** Read for each query; may be changed by {@code SET}. */
    QUERY("for each query");

    private final String read;

    Scope(String read) {
      this.read = read;
    }

    /** When it is read, as the reference page says it. */
    public String read() {
      return read;
    }
  }

  private final String key;
  private final Scope scope;
  private final String documentation;
  private final String defaultText;
  private final Function<String, T> parser;

  ConfigEntry(
      String key,
      Scope scope,
      String documentation,
      String defaultText,
      Function<String, T> parser) {
    this.key = key;
    this.scope = scope;
    this.documentation = documentation;
    this.defaultText = defaultText;
    this.parser = parser;
  }

  /** Its key, beginning with {@link CalderaConf#PREFIX}. */
  public String key() {
    return key;
  }

  /** Where it takes effect. */
  public Scope scope() {
    return scope;
  }

  /** What it means, for users. */
  public String documentation() {
    return documentation;
  }

  /** Its default as a user would write it. */
  public String defaultText() {
    return defaultText;
  }

  /**
   * Its value in {@code settings}, or the default.
   *
   * @throws IllegalArgumentException if the text cannot be read; names the key, the text and what
   *     would be right
   */
  public T in(Map<String, String> settings) {
    String text = Optional.ofNullable(settings.get(key)).orElse(defaultText);
    try {
      return parser.apply(text.trim());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "Cannot use " + key + " = '" + text + "': it must be " + e.getMessage(), e);
    }
  }
}
