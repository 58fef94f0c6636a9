package dev.caldera.backend.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceInfo;
import dev.caldera.backend.DeviceOptions;
import dev.caldera.memory.BufferUse;
import dev.caldera.memory.Commands;
import dev.caldera.memory.Completion;
import dev.caldera.memory.DeviceBuffer;
import dev.caldera.memory.OutOfDeviceMemoryException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CpuDeviceTest {
  private final Device device = GraphRunner.open(Compute.plain("for a test"));

  @Test
  void tellsWhatItIs() {
    DeviceInfo info = new CpuBackend().devices().get(0);
    assertThat(info.id()).isEqualTo("cpu");
    assertThat(info.refusals()).isEmpty();
    assertThat(info.properties()).containsKeys("cores", "kernels", "kernels chosen");
    assertThat(info.memoryBytes()).isEqualTo(Runtime.getRuntime().maxMemory());
    assertThat(new CpuBackend().absence()).isEmpty();
  }

  @Test
  void isDrivenByOneWorkerAThread() {
    assertThat(open(3).driving()).isEqualTo(new Device.Driving(3, true, 512));
    assertThat(open(0).driving().workers()).isEqualTo(Runtime.getRuntime().availableProcessors());
    assertThatThrownBy(() -> open(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot open the CPU with -1 threads: expected 0 (all cores) to 4096");
  }

  private static Device open(int threads) {
    CpuBackend backend = new CpuBackend();
    return backend.open(
        backend.devices().get(0), new DeviceOptions(threads, Optional.empty(), false));
  }

  @Test
  void copiesAnyBytesBetweenHostAndDevice() throws InterruptedException {
    int size = 41;
    for (int offset = 0; offset < 5; offset++) {
      for (int length : new int[] {0, 1, 3, 4, 8, 13, 36}) {
        try (DeviceBuffer upload = device.allocate(size, BufferUse.UPLOAD);
            DeviceBuffer memory = device.allocate(size, BufferUse.DEVICE);
            DeviceBuffer twin = device.allocate(size, BufferUse.DEVICE);
            DeviceBuffer readback = device.allocate(size, BufferUse.READBACK);
            Commands commands = device.begin()) {
          ByteBuffer bytes = upload.mapped();
          for (int i = 0; i < size; i++) {
            bytes.put(i, (byte) (i * 37 + 1));
          }
          commands.copy(upload, 4 - Math.min(offset, 4), memory, offset, length);
          commands.copy(memory, 0, twin, 0, size);
          commands.copy(twin, 0, readback, 0, size);
          Completion completion = commands.submit();
          completion.await();
          assertThat(completion.isDone()).isTrue();
          assertThat(completion.deviceNanos()).isPositive();
          for (int i = 0; i < size; i++) {
            boolean written = i >= offset && i < offset + length;
            int source = i - offset + 4 - Math.min(offset, 4);
            byte expected = written ? (byte) (source * 37 + 1) : 0;
            assertThat(readback.mapped().get(i)).as("byte %d", i).isEqualTo(expected);
          }
        }
      }
    }
    assertThat(device.counters().liveBuffers()).isZero();
    assertThat(device.counters().liveBytes()).isZero();
    assertThat(device.counters().allocations()).isEqualTo(5 * 7 * 4);
  }

  @Test
  void refusesRangesOutsideABuffer() {
    try (DeviceBuffer a = device.allocate(16, BufferUse.DEVICE);
        DeviceBuffer b = device.allocate(8, BufferUse.DEVICE);
        Commands commands = device.begin()) {
      assertThatThrownBy(() -> commands.copy(a, 0, b, 4, 8))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage("Cannot copy 8 bytes to offset 4 of a buffer of 8 bytes");
      assertThatThrownBy(() -> commands.copy(a, -4, b, 0, 4))
          .hasMessage("Cannot copy 4 bytes from offset -4 of a buffer of 16 bytes");
      assertThatThrownBy(() -> commands.copy(a, Long.MAX_VALUE, b, 0, 4))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> commands.copy(a, 0, a, 4, 8))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage(
              "Cannot copy 8 bytes from offset 0 to offset 4 of one buffer: the ranges overlap");
      commands.copy(a, 0, a, 8, 8);
    }
  }

  @Test
  void refusesForeignAndClosedThings() {
    Device other = GraphRunner.open(Compute.plain("for a test"));
    DeviceBuffer closed = device.allocate(8, BufferUse.UPLOAD);
    closed.close();
    closed.close();
    assertThatThrownBy(closed::mapped)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot use a UPLOAD buffer of 8 bytes: it is closed");
    try (DeviceBuffer own = device.allocate(8, BufferUse.DEVICE);
        DeviceBuffer foreign = other.allocate(8, BufferUse.DEVICE);
        Commands commands = device.begin()) {
      assertThatThrownBy(() -> commands.copy(own, 0, foreign, 0, 8))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Cannot use a DEVICE buffer of 8 bytes: it belongs to another device");
      assertThatThrownBy(own::mapped)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("Cannot map a DEVICE buffer of 8 bytes: the host sees UPLOAD and READBACK");
      commands.submit();
      assertThatThrownBy(commands::submit)
          .hasMessage("Cannot submit: the commands were submitted or closed");
      assertThatThrownBy(() -> commands.copy(own, 0, own, 4, 4))
          .hasMessage("Cannot record: the commands were submitted or closed");
    }
  }

  @Test
  void refusesSizesItCannotHave() {
    assertThatThrownBy(() -> device.allocate(0, BufferUse.DEVICE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot allocate 0 bytes for DEVICE: expected 1 to 2147483392");
    assertThatThrownBy(() -> device.allocate(device.allocationLimit() + 1, BufferUse.UPLOAD))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void tellsWhenTheHeapIsFull() {
    List<DeviceBuffer> taken = new ArrayList<>();
    long piece = Math.min(device.allocationLimit(), Runtime.getRuntime().maxMemory() / 4 * 3);
    assertThatThrownBy(
            () -> {
              while (taken.size() < 8) {
                taken.add(device.allocate(piece, BufferUse.DEVICE));
              }
            })
        .isInstanceOf(OutOfDeviceMemoryException.class)
        .hasMessageStartingWith("Cannot allocate " + piece + " bytes for DEVICE: ")
        .hasMessageContaining("the heap may grow to");
    taken.forEach(DeviceBuffer::close);
    assertThat(device.counters().liveBuffers()).isZero();
  }
}
