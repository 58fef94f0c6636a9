package dev.caldera.backend.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class WarmUpTest {

  @Test
  void takesSecondsAndLeavesNothing() throws InterruptedException {
    CpuDevice device = GraphRunner.open(Compute.plain("for a test"));
    Instant start = Instant.now();
    WarmUp.run(device, 2);
    assertThat(Duration.between(start, Instant.now()))
        .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(30));
    assertThat(device.counters().liveBuffers()).isZero();
    assertThat(device.counters().allocations()).isPositive();
  }

  @Test
  void endsWhenInterrupted() {
    CpuDevice device = GraphRunner.open(Compute.plain("for a test"));
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> WarmUp.run(device, 1)).isInstanceOf(InterruptedException.class);
  }
}
