package dev.caldera.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShapeBucketsTest {
  private static final ShapeBuckets BUCKETS =
      new ShapeBuckets(Map.of("tokens", 5000L, "sequences", 12L));

  @Test
  void sizesBecomeThePowerOfTwoAboveUpToTheLargest() {
    assertThat(bucket(17, 3)).isEqualTo(Map.of("tokens", 32L, "sequences", 12L));
    assertThat(bucket(0, 0)).isEqualTo(Map.of("tokens", 16L, "sequences", 12L));
    assertThat(bucket(4096, 12)).isEqualTo(Map.of("tokens", 4096L, "sequences", 12L));
    assertThat(bucket(4097, 12)).isEqualTo(Map.of("tokens", 5000L, "sequences", 12L));
  }

  @Test
  void allSizesFallInAFewBucketsThatHoldThem() {
    Set<Long> buckets = new HashSet<>();
    for (long tokens = 0; tokens <= 5000; tokens++) {
      long bucket = bucket(tokens, 1).getOrDefault("tokens", -1L);
      assertThat(bucket).isGreaterThanOrEqualTo(tokens);
      buckets.add(bucket);
    }
    assertThat(buckets)
        .containsExactlyInAnyOrder(16L, 32L, 64L, 128L, 256L, 512L, 1024L, 2048L, 4096L, 5000L);
  }

  @Test
  void wrongSizesAreErrors() {
    assertThatThrownBy(() -> bucket(5001, 1))
        .hasMessage("Cannot find a bucket for tokens = 5001: it must be from 0 to 5000");
    assertThatThrownBy(() -> bucket(-1, 1)).hasMessageContaining("tokens = -1");
    assertThatThrownBy(() -> BUCKETS.bucket(Map.of("tokens", 1L)))
        .hasMessageContaining("Cannot find a bucket for sizes of [tokens]");
    assertThatThrownBy(() -> new ShapeBuckets(Map.of("tokens", 0L)))
        .hasMessage("Cannot make buckets up to tokens = 0: it must be at least 1");
  }

  private static Map<String, Long> bucket(long tokens, long sequences) {
    return BUCKETS.bucket(Map.of("tokens", tokens, "sequences", sequences));
  }
}
