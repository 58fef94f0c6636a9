package dev.caldera.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryPlannerTest {
  private static final MemoryPlanner PLANNER = new MemoryPlanner(1 << 20);

  @Test
  void valuesThatAreNeverLiveTogetherShareBytes() {
    MemoryPlan plan =
        PLANNER.plan(
            List.of(
                LiveValue.root("a", 1000, 0, 1),
                LiveValue.root("b", 1000, 1, 2),
                LiveValue.root("c", 1000, 2, 3)),
            0);
    assertThat(plan.slot("a")).isEqualTo(plan.slot("c"));
    assertThat(plan.slot("a").overlaps(plan.slot("b"))).isFalse();
    assertThat(plan.peakBytes()).isEqualTo(2 * 1280);
    assertThat(plan.unsharedBytes()).isEqualTo(3 * 1280);
    assertThat(plan.saving()).isEqualTo(1 - 2 / 3.0);
  }

  @Test
  void theLargestIsPlacedFirstAndTheOthersFillTheGaps() {
    MemoryPlan plan =
        PLANNER.plan(
            List.of(
                LiveValue.root("small", 256, 0, 1),
                LiveValue.root("large", 4096, 1, 1),
                LiveValue.root("middle", 2048, 2, 2),
                LiveValue.root("late", 256, 2, 2)),
            0);
    assertThat(plan.slot("large").offset()).isZero();
    assertThat(plan.slot("middle").offset()).isZero();
    assertThat(plan.slot("late").offset()).isEqualTo(2048 + 256);
    assertThat(plan.slot("small").offset()).isEqualTo(4096 + 256);
  }

  @Test
  void aViewLiesInItsRootAndKeepsItAlive() {
    MemoryPlan plan =
        PLANNER.plan(
            List.of(
                LiveValue.root("a", 4096, 0, 1),
                LiveValue.view("upper", 2048, 1, 2, "a", 2048),
                LiveValue.view("quarter", 1024, 1, 5, "upper", 1024),
                LiveValue.root("b", 4096, 3, 4)),
            0);
    assertThat(plan.slot("quarter")).isEqualTo(new Slot(0, plan.slot("a").offset() + 3072, 1024));
    assertThat(plan.placement("quarter").root()).isEqualTo("a");
    assertThat(plan.placement("a").lastStep()).isEqualTo(5);
    assertThat(plan.slot("a").overlaps(plan.slot("b"))).isFalse();
    assertThat(plan.unsharedBytes()).isEqualTo(2 * 4352);
  }

  @Test
  void noSlotCrossesAChunkAndTheScratchZoneMayTakeItsOwn() {
    MemoryPlanner planner = new MemoryPlanner(4096 + 100);
    MemoryPlan plan =
        planner.plan(
            List.of(
                LiveValue.root("a", 3000, 0, 1),
                LiveValue.root("b", 3000, 0, 1),
                LiveValue.root("c", 500, 0, 1)),
            700);
    assertThat(plan.chunkBytes()).containsExactly(3328L + 768, 3328L, 1024L);
    assertThat(plan.slot("b").chunk()).isEqualTo(1);
    assertThat(plan.slot("c")).isEqualTo(new Slot(0, 3328, 500));
    assertThat(plan.scratch()).isEqualTo(new Slot(2, 0, 700));
  }

  @Test
  void theScratchZoneLiesBehindTheLastChunksSlots() {
    MemoryPlan plan = PLANNER.plan(List.of(LiveValue.root("a", 300, 0, 0)), 64);
    assertThat(plan.scratch()).isEqualTo(new Slot(0, 768, 64));
    assertThat(plan.chunkBytes()).containsExactly(768L + 512);
    assertThat(PLANNER.plan(List.of(), 64).scratch()).isEqualTo(new Slot(0, 0, 64));
    assertThat(PLANNER.plan(List.of(), 0).chunkBytes()).isEmpty();
    assertThat(PLANNER.plan(List.of(), 0).saving()).isZero();
  }

  @Test
  void whatDoesNotFitAChunkIsNamedWithItsSizes() {
    assertThatThrownBy(() -> PLANNER.plan(List.of(LiveValue.root("hidden", 1 << 20, 0, 0)), 0))
        .hasMessage(
            "Cannot plan value hidden: its 1048576 bytes (1048832 with slack) are over the 1048576"
                + " bytes that one allocation of the device may have; a smaller batch would fit");
    assertThatThrownBy(() -> PLANNER.plan(List.of(), 1 << 20))
        .hasMessageContaining("Cannot plan scratch: its 1048576 bytes");
    assertThatThrownBy(() -> new MemoryPlanner(255))
        .hasMessage(
            "Cannot plan memory: allocations are limited to 255 bytes, which must be at least 256");
  }

  @Test
  void wrongValuesAndViewsAreNamed() {
    LiveValue root = LiveValue.root("a", 1000, 0, 0);
    assertThatThrownBy(() -> PLANNER.plan(List.of(root, root), 0))
        .hasMessage("Cannot plan value a: it stands twice in the schedule");
    assertThatThrownBy(
            () -> PLANNER.plan(List.of(root, LiveValue.view("v", 600, 0, 0, "a", 512)), 0))
        .hasMessage(
            "Cannot plan view v: 600 bytes at offset 512 must lie in the 1000 bytes of a, at a"
                + " multiple of 256");
    assertThatThrownBy(
            () -> PLANNER.plan(List.of(root, LiveValue.view("v", 600, 0, 0, "a", 100)), 0))
        .hasMessageContaining("at a multiple of 256");
    assertThatThrownBy(() -> PLANNER.plan(List.of(LiveValue.view("v", 600, 0, 0, "a", 0), root), 0))
        .hasMessage("Cannot plan view v: its parent a is not planned before it");
    assertThatThrownBy(() -> LiveValue.root("a", 1, 3, 2))
        .hasMessage("Cannot plan value a: 1 bytes live in steps 3 to 2");
    assertThatThrownBy(() -> PLANNER.plan(List.of(), 0).slot("a"))
        .hasMessage("Cannot find the slot of a: the plan has []");
  }

  @Test
  void theReportListsRowsByOffset() {
    MemoryPlan plan =
        PLANNER.plan(
            List.of(
                LiveValue.root("small", 1024, 0, 1),
                LiveValue.root("large", 4096, 1, 1),
                LiveValue.view("half", 2048, 1, 1, "large", 2048)),
            256);
    assertThat(plan.summary())
        .isEqualTo(
            "arena 6.0 KiB in 1 chunk, 0.0% saved of 6.0 KiB unshared; 2 slots, 1 views,"
                + " scratch 256 B");
    assertThat(plan.report().lines().skip(1))
        .containsExactly(
            "chunk         offset          bytes     steps  value",
            "    0              0           4096       1-1  large",
            "    0           2048           2048       1-1  half (in large)",
            "    0           4352           1024       0-1  small",
            "    0           5632            256       all  (scratch)");
  }
}
