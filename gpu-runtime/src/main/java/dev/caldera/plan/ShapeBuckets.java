package dev.caldera.plan;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Rounds a run's sizes up to a small fixed set, so that few plans serve all runs.
 *
 * <p>The rule: each size becomes the next power of two, at least {@link #SMALLEST} and at most the
 * largest size given for its symbol, which need not be a power of two. For tokens up to 16,384 that
 * is 11 sizes. A plan's capacity costs memory, not time: kernels run over the actual sizes.
 *
 * @param largest the largest size of each symbolic dim; the bucket an arena is reserved for
 */
public record ShapeBuckets(Map<String, Long> largest) {
  /** The smallest size of a bucket, unless its largest is smaller still. */
  public static final long SMALLEST = 16;

  public ShapeBuckets {
    largest = Map.copyOf(largest);
    largest.forEach(
        (symbol, size) -> {
          if (size < 1) {
            throw new IllegalArgumentException(
                "Cannot make buckets up to " + symbol + " = " + size + ": it must be at least 1");
          }
        });
  }

  /**
   * The bucket that sizes fall in.
   *
   * @param sizes actual size of each symbolic dim
   * @throws IllegalArgumentException if a size is over its largest, negative, or not of these
   *     symbols
   */
  public Map<String, Long> bucket(Map<String, Long> sizes) {
    if (!sizes.keySet().equals(largest.keySet())) {
      throw new IllegalArgumentException(
          "Cannot find a bucket for sizes of "
              + sizes.keySet()
              + ": sizes of "
              + largest.keySet()
              + " are wanted");
    }
    Map<String, Long> bucket = new LinkedHashMap<>();
    sizes.forEach((symbol, size) -> bucket.put(symbol, roundUp(symbol, size)));
    return Map.copyOf(bucket);
  }

  private long roundUp(String symbol, long size) {
    long limit = largest.getOrDefault(symbol, 0L);
    if (size < 0 || size > limit) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot find a bucket for %s = %d: it must be from 0 to %d", symbol, size, limit));
    }
    long power = size <= 1 ? 1 : Long.highestOneBit(size - 1) << 1;
    return Math.min(limit, Math.max(SMALLEST, power));
  }
}
