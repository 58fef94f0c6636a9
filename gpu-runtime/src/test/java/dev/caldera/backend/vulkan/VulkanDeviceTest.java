package dev.caldera.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.backend.DeviceInfo;
import dev.caldera.memory.BufferUse;
import dev.caldera.memory.Completion;
import dev.caldera.memory.DeviceBuffer;
import dev.caldera.memory.OutOfDeviceMemoryException;
import dev.caldera.testing.VulkanTesting;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class VulkanDeviceTest {
  private static final int LARGE = 64 << 20;

  private @Nullable VulkanDevice opened;
  private VulkanDevice device;

  @BeforeEach
  void open() {
    device = (VulkanDevice) VulkanTesting.open();
    opened = device;
  }

  @AfterEach
  void closeAndExpectSilence() {
    if (opened != null) {
      List<String> messages = opened.validationMessages();
      assertThat(opened.counters().liveBuffers()).isZero();
      opened.close();
      assertThat(messages).isEmpty();
    }
  }

  @Test
  void tellsWhatItIs() {
    DeviceInfo info = device.info();
    assertThat(info.backend()).isEqualTo("vulkan");
    assertThat(info.id()).matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    assertThat(info.driver()).isNotBlank();
    assertThat(info.refusals()).isEmpty();
    assertThat(info.memoryBytes()).isGreaterThan(1 << 20);
    assertThat(info.properties())
        .containsKeys("Vulkan", "subgroup size", "push constants", "workgroups of a dispatch");
  }

  @Test
  void copiesThereAndBack() throws InterruptedException {
    try (DeviceBuffer upload = device.allocate(1 << 16, BufferUse.UPLOAD);
        DeviceBuffer middle = device.allocate(1 << 16, BufferUse.DEVICE);
        DeviceBuffer readback = device.allocate(1 << 16, BufferUse.READBACK)) {
      ByteBuffer source = upload.mapped();
      for (int i = 0; i < 1 << 14; i++) {
        source.putInt(i * 4, i * 31);
      }
      Completion completion;
      try (VulkanCommands commands = device.begin()) {
        commands.copy(upload, 0, middle, 0, 1 << 15);
        commands.copy(upload, 1 << 15, middle, 1 << 15, 1 << 15);
        assertThat(commands.barriers()).as("the two halves do not conflict").isZero();
        commands.copy(middle, 0, readback, 0, 1 << 16);
        assertThat(commands.barriers()).as("the readback reads what was written").isEqualTo(1);
        completion = commands.submit();
      }
      completion.await();
      assertThat(completion.isDone()).isTrue();
      assertThat(completion.deviceNanos()).isPositive();
      assertThat(readback.mapped()).isEqualTo(source);
    }
  }

  @Test
  void everyBufferStartsZeroed() throws InterruptedException {
    ByteBuffer zeros = ByteBuffer.allocate(4096);
    for (int round = 0; round < 3; round++) {
      try (DeviceBuffer upload = device.allocate(4096, BufferUse.UPLOAD);
          DeviceBuffer middle = device.allocate(4096, BufferUse.DEVICE);
          DeviceBuffer readback = device.allocate(4096, BufferUse.READBACK)) {
        assertThat(upload.mapped()).isEqualTo(zeros);
        assertThat(readback.mapped()).isEqualTo(zeros);
        copyAndWait(middle, readback, 4096);
        assertThat(readback.mapped()).isEqualTo(zeros);
        fill(upload.mapped(), (byte) 7);
        copyAndWait(upload, middle, 4096);
      }
    }
  }

  @Test
  void submissionsRunInOrder() throws InterruptedException {
    try (DeviceBuffer upload = device.allocate(64, BufferUse.UPLOAD);
        DeviceBuffer cells = device.allocate(64 * 100, BufferUse.DEVICE);
        DeviceBuffer readback = device.allocate(64, BufferUse.READBACK)) {
      fill(upload.mapped(), (byte) 42);
      submitCopy(upload, 0, cells, 0, 64);
      for (int i = 1; i < 100; i++) {
        submitCopy(cells, (i - 1) * 64L, cells, i * 64L, 64);
      }
      submitCopy(cells, 99 * 64L, readback, 0, 64).await();
      assertThat(readback.mapped()).isEqualTo(upload.mapped());
    }
  }

  @Test
  void steadySubmissionsMakeNoNewRecordings() throws InterruptedException {
    try (DeviceBuffer upload = device.allocate(64, BufferUse.UPLOAD);
        DeviceBuffer readback = device.allocate(64, BufferUse.READBACK)) {
      copyAndWait(upload, readback, 64);
      int made = device.recordings().made();
      long allocations = device.counters().allocations();
      for (int i = 0; i < 200; i++) {
        copyAndWait(upload, readback, 64);
      }
      assertThat(device.recordings().made()).isEqualTo(made);
      assertThat(device.counters().allocations()).isEqualTo(allocations);
    }
  }

  @Test
  void aRecordingThatIsNotSubmittedIsGivenBack() {
    for (int i = 0; i < 20; i++) {
      device.begin().close();
    }
    assertThat(device.recordings().made()).isEqualTo(1);
  }

  @Test
  void manyThreadsSubmit() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int t = 0; t < 8; t++) {
        int mark = t + 1;
        all.add(threads.submit(() -> copyRounds(mark)));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private @Nullable Void copyRounds(int mark) throws InterruptedException {
    try (DeviceBuffer upload = device.allocate(4096, BufferUse.UPLOAD);
        DeviceBuffer middle = device.allocate(4096, BufferUse.DEVICE);
        DeviceBuffer readback = device.allocate(4096, BufferUse.READBACK)) {
      for (int i = 0; i < 25; i++) {
        fill(upload.mapped(), (byte) (mark + i));
        submitCopy(upload, 0, middle, 0, 4096);
        copyAndWait(middle, readback, 4096);
        assertThat(readback.mapped()).isEqualTo(upload.mapped());
      }
    }
    return null;
  }

  @Test
  void anInterruptEndsTheWaitAndNotTheSubmission() throws InterruptedException {
    try (DeviceBuffer large = device.allocate(LARGE, BufferUse.DEVICE);
        DeviceBuffer readback = device.allocate(LARGE, BufferUse.READBACK)) {
      Completion completion = submitCopy(large, 0, readback, 0, LARGE);
      Thread.currentThread().interrupt();
      assertThatThrownBy(completion::await)
          .isInstanceOf(InterruptedException.class)
          .hasMessageStartingWith("Interrupted while waiting for submission ");
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
      completion.await();
      assertThat(completion.isDone()).isTrue();
    }
  }

  @Test
  void aBufferClosedInFlightWaitsForItsSubmission() {
    DeviceBuffer large = device.allocate(LARGE, BufferUse.DEVICE);
    DeviceBuffer readback = device.allocate(LARGE, BufferUse.READBACK);
    Completion completion = submitCopy(large, 0, readback, 0, LARGE);
    large.close();
    assertThat(completion.isDone()).isTrue();
    readback.close();
    large.close();
  }

  @Test
  void aRecordingOverAClosedBufferIsRefused() {
    DeviceBuffer upload = device.allocate(64, BufferUse.UPLOAD);
    try (DeviceBuffer readback = device.allocate(64, BufferUse.READBACK);
        VulkanCommands commands = device.begin()) {
      commands.copy(upload, 0, readback, 0, 64);
      upload.close();
      assertThatThrownBy(commands::submit)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("Cannot submit commands over a UPLOAD buffer of 64 bytes: it is closed");
      assertThatThrownBy(upload::mapped)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("Cannot map a UPLOAD buffer of 64 bytes: it is closed");
    }
  }

  @Test
  void rangesAreCheckedBeforeTheyAreTouched() {
    try (DeviceBuffer small = device.allocate(100, BufferUse.DEVICE);
        DeviceBuffer large = device.allocate(200, BufferUse.DEVICE);
        VulkanCommands commands = device.begin()) {
      assertThatThrownBy(() -> commands.copy(small, 50, large, 0, 51))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage("Cannot read 51 bytes at 50 of a buffer of 100 bytes");
      assertThatThrownBy(() -> commands.copy(large, 0, small, 0, 101))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage("Cannot write 101 bytes at 0 of a buffer of 100 bytes");
      assertThatThrownBy(() -> commands.copy(large, -1, small, 0, 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> commands.copy(large, Long.MAX_VALUE, small, 0, 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> commands.copy(large, 0, large, 10, 11))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage("Cannot copy 11 bytes from 0 to 10 of one buffer: the ranges overlap");
      assertThatThrownBy(small::mapped)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("Cannot map a DEVICE buffer of 100 bytes: the host cannot see it");
    }
  }

  @Test
  void sizesAreCheckedBeforeTheDriverIsAsked() {
    assertThatThrownBy(() -> device.allocate(0, BufferUse.DEVICE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot allocate 0 bytes for DEVICE on ");
    assertThatThrownBy(() -> device.allocate(device.allocationLimit() + 1, BufferUse.DEVICE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("one allocation takes 1 to " + device.allocationLimit());
  }

  @Test
  void moreThanTheDeviceHasIsOutOfMemory() {
    List<DeviceBuffer> taken = new ArrayList<>();
    long each = Math.min(device.allocationLimit(), device.info().memoryBytes() / 4);
    try {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 1000; i++) {
                  taken.add(device.allocate(each, BufferUse.DEVICE));
                }
              })
          .isInstanceOf(OutOfDeviceMemoryException.class)
          .hasMessageStartingWith("Cannot allocate " + each + " bytes for DEVICE on ");
    } finally {
      taken.forEach(DeviceBuffer::close);
    }
  }

  @Test
  void commandsEndWithTheirSubmission() throws InterruptedException {
    try (VulkanCommands commands = device.begin()) {
      commands.submit().await();
      assertThatThrownBy(commands::submit)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageEndingWith("the commands were submitted or closed");
    }
  }

  @Test
  void aBufferOfAnotherDeviceIsRefused() {
    try (VulkanDevice other = (VulkanDevice) VulkanTesting.open();
        DeviceBuffer foreign = other.allocate(64, BufferUse.DEVICE);
        DeviceBuffer own = device.allocate(64, BufferUse.DEVICE);
        VulkanCommands commands = device.begin()) {
      assertThatThrownBy(() -> commands.copy(foreign, 0, own, 0, 64))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageEndingWith("is a buffer of another device");
    }
  }

  @Test
  void closingWaitsForWhatIsInFlightAndEndsEverything() throws InterruptedException {
    VulkanDevice other = (VulkanDevice) VulkanTesting.open();
    DeviceBuffer large = other.allocate(LARGE, BufferUse.DEVICE);
    DeviceBuffer readback = other.allocate(LARGE, BufferUse.READBACK);
    VulkanCommands abandoned = other.begin();
    Completion completion;
    try (VulkanCommands commands = other.begin()) {
      commands.copy(large, 0, readback, 0, LARGE);
      completion = commands.submit();
    }
    other.close();
    assertThat(completion.isDone()).isTrue();
    completion.await();
    assertThat(completion.deviceNanos()).isPositive();
    assertThat(other.counters().liveBuffers()).isZero();
    large.close();
    readback.close();
    assertThatThrownBy(abandoned::submit)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageMatching("Cannot use device .*: it is closed");
    abandoned.close();
    assertThatThrownBy(other::begin).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> other.allocate(64, BufferUse.DEVICE))
        .isInstanceOf(IllegalStateException.class);
    other.close();
  }

  private Completion submitCopy(
      DeviceBuffer source, long sourceOffset, DeviceBuffer target, long targetOffset, long bytes) {
    try (VulkanCommands commands = device.begin()) {
      commands.copy(source, sourceOffset, target, targetOffset, bytes);
      return commands.submit();
    }
  }

  private void copyAndWait(DeviceBuffer source, DeviceBuffer target, long bytes)
      throws InterruptedException {
    submitCopy(source, 0, target, 0, bytes).await();
  }

  private static void fill(ByteBuffer buffer, byte value) {
    while (buffer.hasRemaining()) {
      buffer.put(value);
    }
  }
}
