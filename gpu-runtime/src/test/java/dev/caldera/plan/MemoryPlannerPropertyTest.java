package dev.caldera.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What holds of every plan, over random live ranges with views, scratch and chunk limits. */
class MemoryPlannerPropertyTest {
  private static final int CASES = 4000;

  @Test
  void everyPlanKeepsItsPromises() {
    for (int seed = 0; seed < CASES; seed++) {
      Random random = new Random(seed);
      List<LiveValue> values = randomValues(random);
      long scratch = random.nextInt(3) == 0 ? random.nextInt(5000) : 0;
      long limit = random.nextBoolean() ? 1 << 30 : 40_000 + random.nextInt(60_000);
      MemoryPlan plan = new MemoryPlanner(limit).plan(values, scratch);
      String name = "seed " + seed;
      assertThat(plan.placements().keySet()).as(name).hasSize(values.size());
      checkPlaces(name, values, plan, limit);
      checkNoOverlap(name, plan);
      checkSizes(name, values, plan, scratch);
      assertThat(new MemoryPlanner(limit).plan(values, scratch)).as(name).isEqualTo(plan);
    }
  }

  /** Up to 60 values over up to 40 steps; sizes from nothing to large, some of them equal. */
  private static List<LiveValue> randomValues(Random random) {
    int steps = 1 + random.nextInt(40);
    int count = random.nextInt(60);
    List<LiveValue> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int first = random.nextInt(steps);
      int last = Math.min(steps - 1, first + random.nextInt(random.nextInt(4) == 0 ? steps : 4));
      if (!values.isEmpty() && random.nextInt(4) == 0) {
        LiveValue parent = values.get(random.nextInt(values.size()));
        long offset = parent.bytes() == 0 ? 0 : random.nextLong(parent.bytes()) / 256 * 256;
        long bytes = random.nextLong(parent.bytes() - offset + 1);
        int viewFirst = Math.max(first, parent.firstStep());
        values.add(
            LiveValue.view(
                "v" + i, bytes, viewFirst, Math.max(last, viewFirst), parent.name(), offset));
      } else {
        long bytes = random.nextInt(3) == 0 ? 4096 : random.nextInt(30_000);
        values.add(LiveValue.root("v" + i, bytes, first, last));
      }
    }
    return values;
  }

  private static void checkPlaces(
      String name, List<LiveValue> values, MemoryPlan plan, long limit) {
    for (LiveValue value : values) {
      Placement placement = plan.placement(value.name());
      Slot slot = placement.slot();
      assertThat(slot.bytes()).as(name).isEqualTo(value.bytes());
      assertThat(slot.offset() % plan.alignment()).as(name).isZero();
      assertThat(slot.end() + plan.slack())
          .as("%s: %s in its chunk, with its slack", name, value)
          .isLessThanOrEqualTo(
              plan.chunkBytes().get(slot.chunk()) + (placement.isView() ? plan.slack() : 0));
      if (placement.isView()) {
        Slot root = plan.slot(placement.root());
        assertThat(slot.chunk()).as(name).isEqualTo(root.chunk());
        assertThat(slot.offset()).as(name).isGreaterThanOrEqualTo(root.offset());
        assertThat(slot.end()).as(name).isLessThanOrEqualTo(root.end());
        assertThat(plan.placement(placement.root()).lastStep())
            .as("%s: root of %s", name, value)
            .isGreaterThanOrEqualTo(value.lastStep());
      }
    }
    assertThat(plan.chunkBytes()).as(name).allMatch(bytes -> bytes > 0 && bytes <= limit);
  }

  private static void checkNoOverlap(String name, MemoryPlan plan) {
    List<Placement> roots = roots(plan);
    for (int i = 0; i < roots.size(); i++) {
      for (int j = 0; j < i; j++) {
        Placement a = roots.get(i);
        Placement b = roots.get(j);
        boolean together = a.firstStep() <= b.lastStep() && b.firstStep() <= a.lastStep();
        if (together) {
          assertThat(withSlack(a.slot(), plan).overlaps(withSlack(b.slot(), plan)))
              .as("%s: %s and %s share bytes", name, a, b)
              .isFalse();
        }
      }
      if (plan.scratch().bytes() > 0) {
        assertThat(withSlack(roots.get(i).slot(), plan).overlaps(plan.scratch()))
            .as("%s: %s lies in the scratch zone", name, roots.get(i))
            .isFalse();
      }
    }
  }

  private static void checkSizes(
      String name, List<LiveValue> values, MemoryPlan plan, long scratch) {
    assertThat(plan.peakBytes()).as(name).isLessThanOrEqualTo(plan.unsharedBytes());
    assertThat(plan.scratch().bytes()).as(name).isEqualTo(scratch);
    long unshared = scratch == 0 ? 0 : extent(scratch);
    Set<Integer> steps = new HashSet<>();
    for (LiveValue value : values) {
      if (!plan.placement(value.name()).isView()) {
        unshared += extent(value.bytes());
      }
      steps.add(value.firstStep());
    }
    assertThat(plan.unsharedBytes()).as(name).isEqualTo(unshared);
    for (int step : steps) {
      long live =
          roots(plan).stream()
              .filter(root -> root.firstStep() <= step && step <= root.lastStep())
              .mapToLong(root -> extent(root.slot().bytes()))
              .sum();
      assertThat(plan.peakBytes())
          .as("%s: live in step %d", name, step)
          .isGreaterThanOrEqualTo(live);
    }
    assertThat(plan.saving()).as(name).isBetween(0.0, 1.0);
  }

  private static List<Placement> roots(MemoryPlan plan) {
    return plan.placements().values().stream().filter(place -> !place.isView()).toList();
  }

  private static Slot withSlack(Slot slot, MemoryPlan plan) {
    return new Slot(slot.chunk(), slot.offset(), slot.bytes() + plan.slack());
  }

  private static long extent(long bytes) {
    return (bytes + 256 + 255) / 256 * 256;
  }
}
