package dev.caldera.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HazardTrackerTest {
  private final HazardTracker tracker = new HazardTracker();

  private boolean reads(long address, long bytes) {
    tracker.read(address, bytes);
    return tracker.endCommand();
  }

  private boolean writes(long address, long bytes) {
    tracker.write(address, bytes);
    return tracker.endCommand();
  }

  @Test
  void readAfterWriteWriteAfterReadAndWriteAfterWriteConflict() {
    assertThat(writes(0, 100)).isFalse();
    assertThat(reads(99, 10)).as("read after write").isTrue();
    assertThat(writes(50, 60)).as("write after read").isTrue();
    assertThat(writes(109, 1)).as("write after write").isTrue();
    assertThat(tracker.barriers()).isEqualTo(3);
  }

  @Test
  void readsOfTheSameBytesDoNotConflict() {
    assertThat(reads(0, 100)).isFalse();
    assertThat(reads(0, 100)).isFalse();
    assertThat(reads(50, 100)).isFalse();
  }

  @Test
  void neighboursDoNotConflict() {
    assertThat(writes(100, 100)).isFalse();
    assertThat(reads(0, 100)).isFalse();
    assertThat(reads(200, 100)).isFalse();
    assertThat(writes(300, 100)).isFalse();
  }

  @Test
  void aCommandDoesNotConflictWithItself() {
    tracker.read(0, 100);
    tracker.write(50, 100);
    assertThat(tracker.endCommand()).isFalse();
  }

  @Test
  void aBarrierForgetsWhatStoodBeforeIt() {
    assertThat(writes(0, 10)).isFalse();
    assertThat(writes(20, 10)).isFalse();
    assertThat(reads(0, 10)).isTrue();
    assertThat(reads(20, 10)).as("the barrier covered this write too").isFalse();
  }

  @Test
  void whatTheCommandBehindABarrierTouchedIsRemembered() {
    assertThat(writes(0, 10)).isFalse();
    tracker.read(0, 10);
    tracker.write(100, 10);
    assertThat(tracker.endCommand()).isTrue();
    assertThat(reads(100, 10)).isTrue();
  }

  @Test
  void nothingIsTouchedByNoBytes() {
    assertThat(writes(0, 100)).isFalse();
    assertThat(reads(50, 0)).isFalse();
    assertThat(writes(50, 0)).isFalse();
  }

  @Test
  void agreesWithAMapOfEveryByte() {
    Random random = new Random(7);
    BitSet read = new BitSet();
    BitSet written = new BitSet();
    for (int command = 0; command < 5_000; command++) {
      BitSet newRead = new BitSet();
      BitSet newWritten = new BitSet();
      for (int range = random.nextInt(4); range > 0; range--) {
        int start = random.nextInt(400);
        int bytes = random.nextInt(12);
        if (random.nextBoolean()) {
          tracker.read(start, bytes);
          newRead.set(start, start + bytes);
        } else {
          tracker.write(start, bytes);
          newWritten.set(start, start + bytes);
        }
      }
      boolean conflict =
          newRead.intersects(written)
              || newWritten.intersects(written)
              || newWritten.intersects(read);
      assertThat(tracker.endCommand()).as("command %d", command).isEqualTo(conflict);
      if (conflict) {
        read.clear();
        written.clear();
      }
      read.or(newRead);
      written.or(newWritten);
    }
    assertThat(tracker.barriers()).isBetween(100, 4_900);
  }
}
