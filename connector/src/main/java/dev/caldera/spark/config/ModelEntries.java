package dev.caldera.spark.config;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings of named models: {@code spark.caldera.model.<name>.uri}. A name has letters, digits,
 * '_', '-' and '.'.
 */
public final class ModelEntries {
  /** What all keys of models begin with. */
  public static final String PREFIX = CalderaConf.PREFIX + "model.";

  /** Shape of the key that says where a model lies. */
  public static final String URI_KEY = PREFIX + "<name>.uri";

  static final String URI_DOCUMENTATION =
      "Folder of the model that SQL calls `<name>`: any path or URI that Spark's Hadoop client can"
          + " read (`hdfs://`, `s3a://`, `file:`, a local path). It holds `model.onnx` and"
          + " `tokenizer.json`, and where they exist `1_Pooling/config.json`, `modules.json`,"
          + " `sentence_bert_config.json`, `config.json` and files of external weights.";

  private static final Pattern URI =
      Pattern.compile(Pattern.quote(PREFIX) + "([A-Za-z0-9_.-]+)\\.uri");

  private ModelEntries() {}

  /** Whether {@code key} is a setting of a model. */
  static boolean matches(String key) {
    return URI.matcher(key).matches();
  }

  /** Where the models of {@code settings} lie, by name. */
  static Map<String, String> uris(Map<String, String> settings) {
    Map<String, String> uris = new TreeMap<>();
    settings.forEach(
        (key, value) -> {
          Matcher matcher = URI.matcher(key);
          if (matcher.matches()) {
            uris.put(matcher.group(1), value.trim());
          }
        });
    return uris;
  }

  /** The key that says where the model {@code name} lies. */
  public static String uriKey(String name) {
    return PREFIX + name + ".uri";
  }
}
