package dev.caldera.spark.sql;

import dev.caldera.engine.EncoderOptions;
import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;

/**
 * Options of a call as the query gives them, checked.
 *
 * @param values text by name, sorted by name
 */
public record CallOptions(TreeMap<String, String> values) implements Serializable {

  /**
   * Options that {@code given} asks for.
   *
   * @throws IllegalArgumentException for an unknown name or a wrong value; names both
   */
  static CallOptions of(Map<String, String> given) {
    CallOptions options = new CallOptions(new TreeMap<>(given));
    options.encoder();
    return options;
  }

  /** As the engine takes them. */
  public EncoderOptions encoder() {
    return EncoderOptions.parse(values);
  }
}
