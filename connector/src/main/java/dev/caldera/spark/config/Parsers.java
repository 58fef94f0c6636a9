package dev.caldera.spark.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Readers of settings; each throws IllegalArgumentException that says what would be right. */
final class Parsers {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,15})\\s*([kmgt]?)i?b?");
  private static final Pattern DEVICE = Pattern.compile("auto|cpu|vulkan|vulkan:\\S.*");
  private static final String UNITS = "kmgt";
  private static final int BITS_OF_A_UNIT = 10;

  private Parsers() {}

  /** A whole number of at least {@code least}. */
  static int number(String text, int least) {
    try {
      int number = Integer.parseInt(text);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(wholeNumber(least), e);
    }
    throw new IllegalArgumentException(wholeNumber(least));
  }

  private static String wholeNumber(int least) {
    return "a whole number of at least " + least;
  }

  /** Bytes, of at least {@code least}: digits and an optional unit k, m, g or t (of 1024). */
  static long bytes(String text, long least) {
    Matcher matcher = SIZE.matcher(text.toLowerCase(Locale.ROOT));
    String right = "a size of at least " + least + " bytes, such as 8388608, 8192k or 8m";
    if (!matcher.matches()) {
      throw new IllegalArgumentException(right);
    }
    long bytes = Long.parseLong(matcher.group(1));
    int unit = matcher.group(2).isEmpty() ? 0 : UNITS.indexOf(matcher.group(2)) + 1;
    if (bytes > Long.MAX_VALUE >> (unit * BITS_OF_A_UNIT)
        || bytes << (unit * BITS_OF_A_UNIT) < least) {
      throw new IllegalArgumentException(right);
    }
    return bytes << (unit * BITS_OF_A_UNIT);
  }

  /** A device as users write it. */
  static String device(String text) {
    if (!DEVICE.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "auto, cpu, vulkan, or vulkan:<UUID, PCI address or part of the device's name>");
    }
    return text;
  }

  /** A text that is not empty. */
  static String text(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("a text that is not empty");
    }
    return text;
  }
}
