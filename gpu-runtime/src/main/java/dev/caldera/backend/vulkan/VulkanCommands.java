package dev.caldera.backend.vulkan;

import dev.caldera.backend.Device;
import dev.caldera.backend.Device.Program;
import dev.caldera.memory.Arena;
import dev.caldera.memory.Completion;
import dev.caldera.memory.DeviceBuffer;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records one submission, with barriers where commands conflict. */
final class VulkanCommands implements Device.KernelCommands, DispatchSink {
  private final VulkanContext context;
  private final SubmissionQueue queue;
  private final RecordingPool pool;
  private final VulkanMemory memory;
  private final HazardTracker hazards = new HazardTracker();
  private final Map<VulkanBuffer, Boolean> buffers = new IdentityHashMap<>();
  private @Nullable Recording recording;

  VulkanCommands(
      VulkanContext context, SubmissionQueue queue, RecordingPool pool, VulkanMemory memory) {
    this.context = context;
    this.queue = queue;
    this.pool = pool;
    this.memory = memory;
    try (VulkanContext.Use use = context.enter()) {
      Recording taken = pool.take();
      this.recording = taken;
      taken.begin();
    }
  }

  @Override
  public void copy(
      DeviceBuffer source, long sourceOffset, DeviceBuffer target, long targetOffset, long bytes) {
    VulkanBuffer from = own(source);
    VulkanBuffer to = own(target);
    checkRange("read", from, sourceOffset, bytes);
    checkRange("write", to, targetOffset, bytes);
    if (from == to && Math.abs(sourceOffset - targetOffset) < bytes) {
      throw new IndexOutOfBoundsException(
          "Cannot copy "
              + bytes
              + " bytes from "
              + sourceOffset
              + " to "
              + targetOffset
              + " of one buffer: the ranges overlap");
    }
    if (bytes == 0) {
      return;
    }
    try (VulkanContext.Use use = context.enter()) {
      Recording open = open();
      hazards.read(from.address(sourceOffset), bytes);
      hazards.write(to.address(targetOffset), bytes);
      if (hazards.endCommand()) {
        open.barrier();
      }
      open.copy(from, sourceOffset, to, targetOffset, bytes);
      use(from);
      use(to);
    }
  }

  /** Fills a buffer with zeros. */
  void zero(VulkanBuffer buffer) {
    try (VulkanContext.Use use = context.enter()) {
      hazards.write(buffer.address(0), buffer.bytes());
      if (hazards.endCommand()) {
        open().barrier();
      }
      open().zero(buffer);
      use(buffer);
    }
  }

  @Override
  public void run(Program program, Arena arena, Map<String, Long> sizes) {
    VulkanProgram bound = own(program);
    bound.checkSizes(sizes);
    List<VulkanBuffer> chunks = arena.chunks().stream().map(this::own).toList();
    checkArena(bound, chunks);
    if (bound.steps().isEmpty()) {
      return;
    }
    long[] addresses = chunks.stream().mapToLong(chunk -> chunk.address(0)).toArray();
    try (VulkanContext.Use use = context.enter()) {
      StepRecording steps =
          new StepRecording(
              context.limits(),
              sizes,
              addresses,
              open().pushConstants(),
              this,
              bound.steps().get(0));
      for (VulkanProgram.BoundStep step : bound.steps()) {
        declare(step.operands(), addresses);
        if (hazards.endCommand()) {
          barrier();
        }
        steps.record(step);
      }
      chunks.forEach(this::use);
      bound.weights().forEach(this::use);
    }
  }

  private void declare(StepOperands operands, long[] chunks) {
    for (StepOperands.Place input : operands.inputs()) {
      hazards.read(input.address(chunks), input.bytes());
    }
    for (StepOperands.Place output : operands.outputs()) {
      hazards.write(output.address(chunks), output.bytes());
    }
    hazards.write(operands.scratch().address(chunks), operands.scratch().bytes());
  }

  private static void checkArena(VulkanProgram program, List<VulkanBuffer> chunks) {
    List<Long> needed = program.plan().memory().chunkBytes();
    List<Long> there = chunks.stream().map(VulkanBuffer::bytes).toList();
    boolean fits = there.size() >= needed.size();
    for (int i = 0; fits && i < needed.size(); i++) {
      fits = there.get(i) >= needed.get(i);
    }
    if (!fits) {
      throw new IllegalArgumentException(
          "Cannot run plan "
              + program.plan().graph()
              + ": it needs chunks of "
              + needed
              + " bytes, the arena has "
              + there);
    }
  }

  @Override
  public void dispatch(Pipeline pipeline, ByteBuffer constants, int x, int y, int z) {
    open().dispatch(pipeline, constants, x, y, z);
  }

  @Override
  public void barrier() {
    open().barrier();
  }

  /** Barriers recorded so far because commands conflict. */
  int barriers() {
    return hazards.barriers();
  }

  @Override
  public Completion submit() {
    try (VulkanContext.Use use = context.enter()) {
      Recording ended = open();
      ended.end();
      VulkanCompletion completion =
          new VulkanCompletion(
              context, queue, ended, queue.submit(ended.commands(), buffers.keySet()));
      recording = null;
      pool.submitted(completion);
      return completion;
    }
  }

  @Override
  public void close() {
    if (recording == null) {
      return;
    }
    try (VulkanContext.Use use = context.tryEnter()) {
      if (use != null) {
        pool.giveBack(recording);
      }
    }
    recording = null;
  }

  private Recording open() {
    if (recording == null) {
      throw new IllegalStateException(
          "Cannot record on " + context.name() + ": the commands were submitted or closed");
    }
    return Objects.requireNonNull(recording);
  }

  private void use(VulkanBuffer buffer) {
    buffers.put(buffer, Boolean.TRUE);
  }

  private VulkanBuffer own(DeviceBuffer buffer) {
    if (!(buffer instanceof VulkanBuffer) || ((VulkanBuffer) buffer).memory() != memory) {
      throw new IllegalArgumentException(
          "Cannot record on " + context.name() + ": " + buffer + " is a buffer of another device");
    }
    VulkanBuffer own = (VulkanBuffer) buffer;
    own.requireOpen("record commands over");
    return own;
  }

  private VulkanProgram own(Program program) {
    if (!(program instanceof VulkanProgram) || ((VulkanProgram) program).context() != context) {
      throw new IllegalArgumentException(
          "Cannot run plan "
              + program.plan().graph()
              + " on "
              + context.name()
              + ": it was compiled for another device");
    }
    return (VulkanProgram) program;
  }

  private static void checkRange(String action, VulkanBuffer buffer, long offset, long bytes) {
    if (offset < 0 || bytes < 0 || bytes > buffer.bytes() - offset) {
      throw new IndexOutOfBoundsException(
          "Cannot "
              + action
              + " "
              + bytes
              + " bytes at "
              + offset
              + " of a buffer of "
              + buffer.bytes()
              + " bytes");
    }
  }
}
