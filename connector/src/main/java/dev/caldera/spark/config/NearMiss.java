package dev.caldera.spark.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The known word that a mistyped one most resembles, by edit distance. */
public final class NearMiss {
  private NearMiss() {}

  /**
   * The nearest of {@code known}, when at most a third of the word, and at least two letters, would
   * have to change.
   */
  public static Optional<String> of(String word, Collection<String> known) {
    int most = Math.max(2, word.length() / 3);
    return known.stream()
        .min(Comparator.comparingInt((String candidate) -> distance(word, candidate)))
        .filter(candidate -> distance(word, candidate) <= most);
  }

  /** " Did you mean ...?" or an empty text. */
  public static String suggestion(String word, Collection<String> known) {
    return of(word, known).map(near -> " Did you mean '" + near + "'?").orElse("");
  }

  /** Insertions, deletions and replacements that make {@code right} of {@code left}. */
  private static int distance(String left, String right) {
    int[] row = new int[right.length() + 1];
    for (int j = 0; j <= right.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= right.length(); j++) {
        int replaced = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[right.length()];
  }
}
