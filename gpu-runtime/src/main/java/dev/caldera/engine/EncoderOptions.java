package dev.caldera.engine;

import dev.caldera.graph.Op.Pooling;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a user says about an encoder; what is absent comes from the model's own files.
 *
 * @param pooling how the vectors of a text's tokens become one
 * @param normalize whether vectors are scaled to length 1
 * @param maxTokens the most tokens of a text, special tokens counted; the rest is cut
 */
public record EncoderOptions(
    Optional<Pooling> pooling, Optional<Boolean> normalize, OptionalInt maxTokens) {
  /** Name of the option for {@link #pooling()}: mean, cls, last or max. */
  public static final String POOLING = "pooling";

  /** Name of the option for {@link #normalize()}: true or false. */
  public static final String NORMALIZE = "normalize";

  /** Name of the option for {@link #maxTokens()}: a positive number. */
  public static final String MAX_TOKENS = "maxTokens";

  /** Everything as the model's files say. */
  public static EncoderOptions defaults() {
    return new EncoderOptions(Optional.empty(), Optional.empty(), OptionalInt.empty());
  }

  /**
   * Options as text, by name.
   *
   * @throws IllegalArgumentException for an unknown name or a value of the wrong kind; names both
   *     and says what would be right
   */
  public static EncoderOptions parse(Map<String, String> options) {
    EncoderOptions parsed = defaults();
    for (Map.Entry<String, String> option : new TreeMap<>(options).entrySet()) {
      parsed = parsed.with(option.getKey(), option.getValue());
    }
    return parsed;
  }

  private EncoderOptions with(String name, String value) {
    switch (name) {
      case POOLING:
        return new EncoderOptions(Optional.of(pooling(value)), normalize, maxTokens);
      case NORMALIZE:
        return new EncoderOptions(pooling, Optional.of(flag(value)), maxTokens);
      case MAX_TOKENS:
        return new EncoderOptions(pooling, normalize, OptionalInt.of(tokens(value)));
      default:
        throw new IllegalArgumentException(
            "Cannot use option '"
                + name
                + "': an encoder has the options "
                + MAX_TOKENS
                + ", "
                + NORMALIZE
                + " and "
                + POOLING);
    }
  }

  private static Pooling pooling(String value) {
    return Arrays.stream(Pooling.values())
        .filter(p -> p.name().equalsIgnoreCase(value.trim()))
        .findFirst()
        .orElseThrow(
            () ->
                wrong(
                    POOLING,
                    value,
                    "one of "
                        + Arrays.stream(Pooling.values())
                            .map(p -> p.name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "))));
  }

  private static boolean flag(String value) {
    String text = value.trim().toLowerCase(Locale.ROOT);
    if (!text.equals("true") && !text.equals("false")) {
      throw wrong(NORMALIZE, value, "true or false");
    }
    return text.equals("true");
  }

  private static int tokens(String value) {
    try {
      int tokens = Integer.parseInt(value.trim());
      if (tokens > 0) {
        return tokens;
      }
    } catch (NumberFormatException e) {
      throw wrong(MAX_TOKENS, value, "a positive whole number");
    }
    throw wrong(MAX_TOKENS, value, "a positive whole number");
  }

  private static IllegalArgumentException wrong(String name, String value, String right) {
    return new IllegalArgumentException(
        "Cannot use option " + name + " => '" + value + "': it must be " + right);
  }
}
