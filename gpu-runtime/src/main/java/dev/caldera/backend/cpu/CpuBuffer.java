package dev.caldera.backend.cpu;

import dev.caldera.memory.BufferUse;
import dev.caldera.memory.DeviceBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Memory of the CPU backend: an array for kernels, or a direct buffer that the host sees.
 *
 * <p>Element {@link #FIRST} of the array is the buffer's byte 0. An object's header takes the bytes
 * of 4 elements, so this place is aligned to a cache line in a large array, which begins at a
 * region's start. Elements of other types than f32 stand in the array as raw bits, little-endian.
 */
final class CpuBuffer implements DeviceBuffer {
  /** The array index of byte 0. */
  static final int FIRST = 12;

  private final CpuDevice device;
  private final long bytes;
  private final BufferUse use;
  private float @Nullable [] array;
  private @Nullable ByteBuffer direct;

  CpuBuffer(CpuDevice device, long bytes, BufferUse use) {
    this.device = device;
    this.bytes = bytes;
    this.use = use;
    if (use == BufferUse.DEVICE) {
      array = new float[FIRST + Math.toIntExact((bytes + 3) / 4)];
    } else {
      direct = ByteBuffer.allocateDirect(Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public BufferUse use() {
    return use;
  }

  @Override
  public synchronized ByteBuffer mapped() {
    if (use == BufferUse.DEVICE) {
      throw new IllegalStateException(
          "Cannot map a DEVICE buffer of " + bytes + " bytes: the host sees UPLOAD and READBACK");
    }
    if (direct == null) {
      throw closed();
    }
    return direct.duplicate().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The array of a DEVICE buffer. */
  synchronized float[] array() {
    if (array == null) {
      throw closed();
    }
    return array;
  }

  /** Whether it belongs to a device. */
  boolean isOf(CpuDevice other) {
    return device == other;
  }

  @Override
  public synchronized void close() {
    if (array != null || direct != null) {
      array = null;
      direct = null;
      device.counters().freed(bytes);
    }
  }

  private IllegalStateException closed() {
    return new IllegalStateException(
        "Cannot use a " + use + " buffer of " + bytes + " bytes: it is closed");
  }

  /** Copies bytes; ranges were checked before. */
  static void copy(CpuBuffer source, long from, CpuBuffer target, long to, long count) {
    boolean whole = from % 4 == 0 && to % 4 == 0 && count % 4 == 0;
    if (source.use == BufferUse.DEVICE && target.use == BufferUse.DEVICE && whole) {
      System.arraycopy(source.array(), place(from), target.array(), place(to), (int) (count / 4));
    } else if (source.use == BufferUse.DEVICE && target.use != BufferUse.DEVICE && whole) {
      slice(target, to, count).asFloatBuffer().put(source.array(), place(from), (int) (count / 4));
    } else if (source.use != BufferUse.DEVICE && target.use == BufferUse.DEVICE && whole) {
      slice(source, from, count).asFloatBuffer().get(target.array(), place(to), (int) (count / 4));
    } else if (source.use != BufferUse.DEVICE && target.use != BufferUse.DEVICE) {
      slice(target, to, count).put(slice(source, from, count));
    } else {
      for (long i = 0; i < count; i++) {
        target.put(to + i, source.get(from + i));
      }
    }
  }

  private static int place(long byteOffset) {
    return FIRST + (int) (byteOffset / 4);
  }

  private static ByteBuffer slice(CpuBuffer buffer, long from, long count) {
    return buffer.mapped().slice((int) from, (int) count).order(ByteOrder.LITTLE_ENDIAN);
  }

  private byte get(long at) {
    if (use != BufferUse.DEVICE) {
      return Objects.requireNonNull(direct).get((int) at);
    }
    return Bits.getByte(array(), place(at), (int) (at % 4));
  }

  private void put(long at, byte value) {
    if (use != BufferUse.DEVICE) {
      Objects.requireNonNull(direct).put((int) at, value);
    } else {
      Bits.putByte(array(), place(at), (int) (at % 4), value);
    }
  }
}
