package dev.caldera.spark.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The settings of Caldera in a Spark configuration, checked as a whole.
 *
 * <pre>{@code
 * CalderaConf conf = CalderaConf.of(settings); // any map with Spark's settings
 * int rows = conf.value(ConfigEntries.BATCH_ROWS);
 * String uri = conf.models().get("minilm");
 * }</pre>
 */
public final class CalderaConf {
  /** What all keys begin with. */
  public static final String PREFIX = "spark.caldera.";

  private final Map<String, String> settings;

  private CalderaConf(Map<String, String> settings) {
    this.settings = settings;
  }

  /**
   * Reads and checks the keys that begin with {@link #PREFIX}; others are left aside.
   *
   * @throws IllegalArgumentException for an unknown key or a value that cannot be read; names the
   *     key and what would be right
   */
  public static CalderaConf of(Map<String, String> all) {
    Map<String, String> settings = new TreeMap<>();
    all.forEach(
        (key, value) -> {
          if (key.startsWith(PREFIX)) {
            settings.put(key, value);
          }
        });
    settings.keySet().forEach(CalderaConf::checkKey);
    ConfigEntries.ALL.forEach(entry -> entry.in(settings));
    return new CalderaConf(settings);
  }

  private static void checkKey(String key) {
    List<String> known = new ArrayList<>();
    ConfigEntries.ALL.forEach(entry -> known.add(entry.key()));
    if (known.contains(key) || ModelEntries.matches(key)) {
      return;
    }
    if (key.startsWith(ModelEntries.PREFIX)) {
      throw new IllegalArgumentException(
          "Cannot use the setting "
              + key
              + ": the settings of a model are "
              + ModelEntries.URI_KEY);
    }
    throw new IllegalArgumentException(
        "Cannot use the setting "
            + key
            + ": Caldera has none of that name."
            + NearMiss.suggestion(key, known));
  }

  /** The value of an entry. */
  public <T> T value(ConfigEntry<T> entry) {
    return entry.in(settings);
  }

  /** Where the named models lie, by name. */
  public Map<String, String> models() {
    return ModelEntries.uris(settings);
  }

  /** The folder for copies of models and compiled pipelines, on this machine. */
  public Path cacheDirectory() {
    return Path.of(
        value(ConfigEntries.CACHE_DIRECTORY)
            .replace("{tmp}", System.getProperty("java.io.tmpdir"))
            .replace("{user}", System.getProperty("user.name")));
  }

  /**
   * Checks that what takes effect when Spark starts has the same value here as there.
   *
   * @throws IllegalArgumentException if not; names the key and both values
   */
  public void checkUnchanged(CalderaConf started) {
    for (ConfigEntry<?> entry : ConfigEntries.ALL) {
      if (entry.scope() == ConfigEntry.Scope.EXECUTOR
          && !value(entry).equals(started.value(entry))) {
        throw new IllegalArgumentException(
            "Cannot change "
                + entry.key()
                + " from '"
                + started.value(entry)
                + "' to '"
                + value(entry)
                + "' in a session: it is read when Spark starts, set it there");
      }
    }
  }
}
