package dev.caldera.text;

/**
 * Lone surrogates: halves of a UTF-16 pair without the other half. They have no UTF-8; native code
 * that meets one may drop whole characters around it.
 */
final class Surrogates {
  private static final char REPLACEMENT = '\uFFFD';

  private Surrogates() {}

  /** {@code text} with each lone surrogate replaced by U+FFFD; the same object if it has none. */
  static String replaceLone(String text) {
    int first = nextLone(text, 0);
    if (first < 0) {
      return text;
    }
    char[] characters = text.toCharArray();
    for (int i = first; i >= 0; i = nextLone(text, i + 1)) {
      characters[i] = REPLACEMENT;
    }
    return new String(characters);
  }

  private static int nextLone(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      if (!Character.isSurrogate(text.charAt(i))) {
        continue;
      }
      boolean pair =
          Character.isHighSurrogate(text.charAt(i))
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (!pair) {
        return i;
      }
      i++;
    }
    return -1;
  }
}
