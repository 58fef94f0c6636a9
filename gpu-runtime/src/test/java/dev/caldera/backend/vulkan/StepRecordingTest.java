package dev.caldera.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.graph.Dim;
import dev.caldera.graph.Op;
import dev.caldera.plan.Slot;
import dev.caldera.plan.Step;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StepRecordingTest {
  private static final DeviceLimits LIMITS =
      new DeviceLimits(1, 1, 1, 64, 64, 1000, 65_535, 65_535, 32, 8, 1);
  private static final Step STEP =
      new Step(0, "node", new Op.Softmax(1), "Softmax", List.of(), List.of(), new Slot(0, 0, 0));
  private static final Pipeline PIPELINE = new Pipeline(5, "shader", 20);

  private final List<String> seen = new ArrayList<>();
  private final DispatchSink sink =
      new DispatchSink() {
        @Override
        public void dispatch(Pipeline pipeline, ByteBuffer constants, int x, int y, int z) {
          ByteBuffer words = constants.order(ByteOrder.LITTLE_ENDIAN);
          seen.add(
              String.format(
                  "%s(%d, %d, %f) %d x %d x %d",
                  pipeline.shader(),
                  words.getInt(0),
                  words.getLong(8),
                  words.getFloat(16),
                  x,
                  y,
                  z));
        }

        @Override
        public void barrier() {
          seen.add("barrier");
        }
      };

  private void record(StepRecorder recorder) {
    StepOperands operands =
        new StepOperands(
            List.of(new StepOperands.Place(1, 512, 64)),
            List.of(new StepOperands.Place(-1, 7_000, 64)),
            new StepOperands.Place(0, 256, 64));
    VulkanProgram.BoundStep bound = new VulkanProgram.BoundStep(STEP, recorder, operands);
    new StepRecording(
            LIMITS,
            Map.of("tokens", 9L),
            new long[] {10_000, 20_000},
            ByteBuffer.allocate(32),
            sink,
            bound)
        .record(bound);
  }

  @Test
  void pushConstantsAreAlignedAndConsumedByTheNextDispatch() {
    record(
        run -> {
          run.integer(-3).address(1L << 40).real(0.5f).dispatch(PIPELINE, 2, 1, 1);
          run.barrier();
          run.integer(4).address(5).real(6).dispatch(PIPELINE, 1000, 65_535, 1);
        });
    assertThat(seen)
        .containsExactly(
            "shader(-3, 1099511627776, 0.500000) 2 x 1 x 1",
            "barrier",
            "shader(4, 5, 6.000000) 1000 x 65535 x 1");
  }

  @Test
  void operandsLieInTheArenaOrAtTheirWeightsAddress() {
    record(
        run -> {
          assertThat(run.input(0)).isEqualTo(20_512);
          assertThat(run.output(0)).isEqualTo(7_000);
          assertThat(run.scratch()).isEqualTo(10_256);
          assertThat(run.size(Dim.product(Dim.symbol("tokens"), Dim.fixed(2)))).isEqualTo(18);
        });
  }

  @Test
  void aDispatchOfNothingIsLeftOut() {
    record(run -> run.integer(1).address(1).real(1).dispatch(PIPELINE, 0, 1, 1));
    assertThat(seen).isEmpty();
  }

  @Test
  void tooManyWorkgroupsAreRefused() {
    assertThatThrownBy(
            () -> record(run -> run.integer(1).address(1).real(1).dispatch(PIPELINE, 1, 65_536, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Cannot record step node (Softmax): 65536 workgroups in y, the device takes 0 to"
                + " 65535");
  }

  @Test
  void pushConstantsThatTheShaderHasNotAreRefused() {
    assertThatThrownBy(() -> record(run -> run.integer(1).dispatch(PIPELINE, 1, 1, 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Cannot record step node (Softmax): 4 bytes of push constants are given, shader shader"
                + " has 20");
    assertThatThrownBy(() -> record(run -> run.integer(1)))
        .hasMessageEndingWith("4 bytes of push constants have no dispatch");
    assertThatThrownBy(
            () -> record(run -> run.address(1).address(2).address(3).address(4).address(5)))
        .hasMessageEndingWith("over 32 bytes of push constants");
  }

  @Test
  void aNumberThatDoesNotFitIsRefused() {
    assertThatThrownBy(() -> record(run -> run.integer(1L << 32)))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageEndingWith("push constant 4294967296 does not fit 32 bits");
  }
}
