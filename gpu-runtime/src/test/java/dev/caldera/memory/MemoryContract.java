package dev.caldera.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorType;
import dev.caldera.plan.Layout;
import dev.caldera.plan.LiveValue;
import dev.caldera.plan.MemoryPlan;
import dev.caldera.plan.MemoryPlanner;
import dev.caldera.plan.Operand;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What the contracts of this package share: a device a test, and the check that all of its memory
 * has come back. A device's test extends each contract and opens the device.
 */
public abstract class MemoryContract {
  /** The device under test. */
  protected MemoryDevice device;

  /** Opens a device, or skips the test with a reason. */
  protected abstract MemoryDevice openDevice();

  /** Closes what {@link #openDevice} opened. */
  protected abstract void closeDevice(MemoryDevice opened);

  private long buffersBefore;
  private long bytesBefore;

  @BeforeEach
  void open() {
    device = openDevice();
    buffersBefore = device.counters().liveBuffers();
    bytesBefore = device.counters().liveBytes();
  }

  @AfterEach
  void nothingIsLeft() {
    if (device != null) {
      assertThat(liveBuffers()).as("buffers that are still open").isZero();
      assertThat(liveBytes()).as("bytes still held").isZero();
      closeDevice(device);
    }
  }

  /** Buffers open now that the device did not open for itself. */
  long liveBuffers() {
    return device.counters().liveBuffers() - buffersBefore;
  }

  /** Their bytes. */
  long liveBytes() {
    return device.counters().liveBytes() - bytesBefore;
  }

  /** A plan whose values "v0", "v1", ... of the given sizes all live at once. */
  static MemoryPlan plan(long... bytes) {
    return limitedPlan(0, 1 << 28, bytes);
  }

  static MemoryPlan limitedPlan(long scratch, long allocationLimit, long... bytes) {
    List<LiveValue> values =
        IntStream.range(0, bytes.length)
            .mapToObj(i -> LiveValue.root("v" + i, bytes[i], 0, 0))
            .toList();
    return new MemoryPlanner(allocationLimit).plan(values, scratch);
  }

  /** Value "v{index}" of a plan as a tensor of {@code tokens} rows. */
  static Operand.SlotOperand tensor(
      MemoryPlan plan, int index, DType dtype, Layout layout, long rows, long columns) {
    String name = "v" + index;
    TensorType type = new TensorType(dtype, Shape.of(Dim.symbol("tokens"), Dim.fixed(columns)));
    return new Operand.SlotOperand(name, type, layout, plan.slot(name), rows, columns);
  }

  static float[] ramp(int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = i + 0.25f;
    }
    return values;
  }
}
