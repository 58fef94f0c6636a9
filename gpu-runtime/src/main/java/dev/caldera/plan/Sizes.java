package dev.caldera.plan;

import java.util.Locale;

/** Arithmetic and printing of byte sizes. */
final class Sizes {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

  private Sizes() {}

  /** The smallest multiple of {@code multiple} that is at least {@code value}. */
  static long roundUp(long value, long multiple) {
    return Math.multiplyExact(Math.addExact(value, multiple - 1) / multiple, multiple);
  }

  /** Bytes as a person reads them: "37.5 MiB". */
  static String readable(long bytes) {
    if (bytes < 1024) {
      return bytes + " B";
    }
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
  }
}
