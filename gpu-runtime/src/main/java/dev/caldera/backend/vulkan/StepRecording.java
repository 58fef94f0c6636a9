package dev.caldera.backend.vulkan;

import dev.caldera.graph.Dim;
import dev.caldera.plan.Step;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/** Turns what a step's recorder says into checked dispatches; one a program run, for all steps. */
final class StepRecording implements StepRun {
  private final DeviceLimits limits;
  private final Map<String, Long> sizes;
  private final long[] chunks;
  private final ByteBuffer constants;
  private final DispatchSink sink;
  private Step step;
  private StepOperands operands;

  /**
   * @param chunks device address of each of the arena's chunks
   * @param constants native room for push constants
   */
  StepRecording(
      DeviceLimits limits,
      Map<String, Long> sizes,
      long[] chunks,
      ByteBuffer constants,
      DispatchSink sink,
      VulkanProgram.BoundStep first) {
    this.limits = limits;
    this.sizes = sizes;
    this.chunks = chunks;
    this.constants = constants.order(ByteOrder.LITTLE_ENDIAN).clear();
    this.sink = sink;
    this.step = first.step();
    this.operands = first.operands();
  }

  /** Records one step. */
  void record(VulkanProgram.BoundStep bound) {
    step = bound.step();
    operands = bound.operands();
    constants.clear();
    bound.recorder().record(this);
    if (constants.position() != 0) {
      throw new IllegalStateException(
          cannotRecord() + constants.position() + " bytes of push constants have no dispatch");
    }
  }

  @Override
  public long input(int index) {
    return operands.inputs().get(index).address(chunks);
  }

  @Override
  public long output(int index) {
    return operands.outputs().get(index).address(chunks);
  }

  @Override
  public long scratch() {
    return operands.scratch().address(chunks);
  }

  @Override
  public long size(Dim dim) {
    return dim.evaluate(sizes);
  }

  @Override
  public StepRun address(long address) {
    align(Long.BYTES).putLong(address);
    return this;
  }

  @Override
  public StepRun integer(long value) {
    if (value < Integer.MIN_VALUE || value > 0xffffffffL) {
      throw new ArithmeticException(
          cannotRecord() + "push constant " + value + " does not fit 32 bits");
    }
    align(Integer.BYTES).putInt((int) value);
    return this;
  }

  @Override
  public StepRun real(float value) {
    align(Float.BYTES).putFloat(value);
    return this;
  }

  private ByteBuffer align(int bytes) {
    while (constants.position() % bytes != 0) {
      constants.put((byte) 0);
    }
    if (constants.remaining() < bytes) {
      throw new IllegalStateException(
          cannotRecord() + "over " + constants.capacity() + " bytes of push constants");
    }
    return constants;
  }

  @Override
  public void dispatch(Pipeline pipeline, long groupsX, long groupsY, long groupsZ) {
    if (constants.position() != pipeline.pushBytes()) {
      throw new IllegalStateException(
          cannotRecord()
              + constants.position()
              + " bytes of push constants are given, shader "
              + pipeline.shader()
              + " has "
              + pipeline.pushBytes());
    }
    checkCount("x", groupsX, limits.groupsX());
    checkCount("y", groupsY, limits.groupsY());
    checkCount("z", groupsZ, limits.groupsZ());
    constants.flip();
    if (groupsX > 0 && groupsY > 0 && groupsZ > 0) {
      sink.dispatch(pipeline, constants, (int) groupsX, (int) groupsY, (int) groupsZ);
    }
    constants.clear();
  }

  private void checkCount(String axis, long groups, long limit) {
    if (groups < 0 || groups > limit) {
      throw new IllegalArgumentException(
          cannotRecord() + groups + " workgroups in " + axis + ", the device takes 0 to " + limit);
    }
  }

  @Override
  public void barrier() {
    sink.barrier();
  }

  private String cannotRecord() {
    return "Cannot record step " + step.node() + " (" + step.kernel() + "): ";
  }
}
