package dev.caldera.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.graph.Dim;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StridedWalkTest {

  @Test
  void mergesDimsThatEveryTensorHoldsWithoutAGap() {
    long[] dims = {2, 3, 4};
    StridedWalk walk = new StridedWalk(dims, StridedWalk.rowMajor(dims), new long[] {12, 4, 1});
    assertThat(pushed(walk))
        .containsExactly(24L, 1L, 1L, 1L, 1L, 1L, 1L, 0L, 0L, 0L, 0L, 0L, 1L, 0L, 0L, 0L, 0L, 0L);
    assertThat(walk.count()).isEqualTo(24);
  }

  @Test
  void keepsDimsThatOneTensorPermutes() {
    StridedWalk walk = new StridedWalk(new long[] {3, 2}, new long[] {1, 3}, new long[] {2, 1});
    assertThat(pushed(walk))
        .containsExactly(3L, 2L, 1L, 1L, 1L, 1L, 1L, 3L, 0L, 0L, 0L, 0L, 2L, 1L, 0L, 0L, 0L, 0L);
  }

  @Test
  void dropsDimsOfOneAndKeepsBroadcastOnes() {
    long[] dims = {5, 1, 7};
    StridedWalk walk = new StridedWalk(dims, StridedWalk.broadcast(new long[] {1, 7}, 3));
    assertThat(pushed(walk)).containsExactly(5L, 7L, 1L, 1L, 1L, 1L, 0L, 1L, 0L, 0L, 0L, 0L);
    assertThat(walk.count()).isEqualTo(35);
  }

  @Test
  void aScalarIsOneElement() {
    StridedWalk walk = new StridedWalk(new long[0], new long[0]);
    assertThat(walk.count()).isEqualTo(1);
    assertThat(pushed(walk)).containsExactly(1L, 1L, 1L, 1L, 1L, 1L, 0L, 0L, 0L, 0L, 0L, 0L);
  }

  @Test
  void refusesMoreDimsThanAShaderWalks() {
    long[] dims = {2, 2, 2, 2, 2, 2, 2};
    long[] gaps = {1000000, 100000, 10000, 1000, 100, 10, 1};
    assertThatThrownBy(() -> new StridedWalk(dims, gaps))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot walk dims [2, 2, 2, 2, 2, 2, 2]: 7 remain after merging, at most 6 would be"
                + " right");
  }

  private static List<Long> pushed(StridedWalk walk) {
    List<Long> values = new ArrayList<>();
    walk.push(new PushedValues(values));
    return values;
  }

  /** Takes push constants and nothing else. */
  private record PushedValues(List<Long> values) implements StepRun {
    @Override
    public StepRun integer(long value) {
      values.add(value);
      return this;
    }

    @Override
    public StepRun address(long address) {
      throw new AssertionError("an address was pushed");
    }

    @Override
    public StepRun real(float value) {
      throw new AssertionError("a float was pushed");
    }

    @Override
    public long input(int index) {
      throw new AssertionError("an input was asked for");
    }

    @Override
    public long output(int index) {
      throw new AssertionError("an output was asked for");
    }

    @Override
    public long scratch() {
      throw new AssertionError("scratch was asked for");
    }

    @Override
    public long size(Dim dim) {
      throw new AssertionError("a size was asked for");
    }

    @Override
    public void dispatch(Pipeline pipeline, long groupsX, long groupsY, long groupsZ) {
      throw new AssertionError("a dispatch was recorded");
    }

    @Override
    public void barrier() {
      throw new AssertionError("a barrier was recorded");
    }
  }
}
