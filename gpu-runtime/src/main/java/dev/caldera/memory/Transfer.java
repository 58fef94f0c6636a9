package dev.caldera.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The host's part in one submission: uploads before the kernels, readbacks behind them, as many as
 * wanted, and one wait for all.
 *
 * <p>Uploads are copied into staging memory when they are recorded. Copies share staging buffers,
 * which go back to their pool on close; when the submission still runs then, they go back once it
 * has completed. The commands stay the caller's to close. Not thread-safe.
 */
public final class Transfer implements AutoCloseable {
  /** Copies begin at multiples of this many bytes in a staging buffer. */
  public static final long ALIGNMENT = 256;

  private final StagingPool pool;
  private final Commands commands;
  private final List<StagingBuffer> buffers = new ArrayList<>();
  private @Nullable Region uploads;
  private @Nullable Region readbacks;
  private @Nullable Completion completion;
  private boolean closed;

  Transfer(StagingPool pool, Commands commands) {
    this.pool = pool;
    this.commands = commands;
  }

  /**
   * Makes sure that uploads of {@code bytes} in all, each counted by {@link #stagedBytes}, share
   * one staging buffer.
   */
  void reserveUploads(long bytes) throws InterruptedException {
    uploads = room(uploads, bytes, BufferUse.UPLOAD);
  }

  /** What a copy takes of a staging buffer: its bytes, rounded up to where the next one starts. */
  static long stagedBytes(long bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  /**
   * Records an upload that {@code writer} fills in.
   *
   * @param target where the bytes go
   * @param writer is given a little-endian buffer of exactly {@code target.bytes()} bytes, whose
   *     content is arbitrary before it writes
   * @throws InterruptedException if interrupted while waiting for staging memory
   */
  public void upload(BufferRange target, Consumer<ByteBuffer> writer) throws InterruptedException {
    checkRecording();
    if (target.bytes() == 0) {
      return;
    }
    Region region = uploads = room(uploads, target.bytes(), BufferUse.UPLOAD);
    long offset = region.take(target.bytes());
    writer.accept(region.view(offset, target.bytes()));
    commands.copy(region.buffer.buffer(), offset, target.buffer(), target.offset(), target.bytes());
  }

  /**
   * Records an upload of bytes.
   *
   * @param source from position to limit; not advanced
   * @throws IllegalArgumentException if {@code source} has not the target's length
   */
  public void upload(BufferRange target, ByteBuffer source) throws InterruptedException {
    if (source.remaining() != target.bytes()) {
      throw new IllegalArgumentException(
          String.format(
              "Cannot upload %d bytes to a range of %d: the lengths must be equal",
              source.remaining(), target.bytes()));
    }
    upload(target, staged -> staged.put(source.duplicate()));
  }

  /** Records a readback of bytes. */
  public Readback readback(BufferRange source) throws InterruptedException {
    return readback(source, UnaryOperator.identity());
  }

  Readback readback(BufferRange source, UnaryOperator<ByteBuffer> conversion)
      throws InterruptedException {
    checkRecording();
    if (source.bytes() == 0) {
      return new Readback(this, ByteBuffer.allocate(0), conversion);
    }
    Region region = readbacks = room(readbacks, source.bytes(), BufferUse.READBACK);
    long offset = region.take(source.bytes());
    commands.copy(source.buffer(), source.offset(), region.buffer.buffer(), offset, source.bytes());
    return new Readback(this, region.view(offset, source.bytes()), conversion);
  }

  /** Submits the commands, with whatever else was recorded into them. */
  public Completion submit() {
    checkRecording();
    Completion submitted = commands.submit();
    completion = submitted;
    return submitted;
  }

  /** Gives the staging memory back, at once or when the submission has completed. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      pool.retire(buffers, completion);
    }
  }

  void checkReadable() {
    if (closed || completion == null || !completion.isDone()) {
      throw new IllegalStateException(
          closed
              ? "Cannot read what was read back: the transfer is closed"
              : "Cannot read what was read back: wait until the submission has completed");
    }
  }

  private void checkRecording() {
    if (closed || completion != null) {
      throw new IllegalStateException(
          "Cannot record a transfer: it is " + (closed ? "closed" : "submitted"));
    }
  }

  private Region room(@Nullable Region current, long bytes, BufferUse use)
      throws InterruptedException {
    if (current != null && current.buffer.bytes() - current.used >= bytes) {
      return current;
    }
    StagingBuffer buffer = pool.acquire(bytes, use);
    buffers.add(buffer);
    return new Region(buffer);
  }

  /** A staging buffer, filled from its start. */
  private static final class Region {
    final StagingBuffer buffer;
    final ByteBuffer mapped;
    long used;

    Region(StagingBuffer buffer) {
      this.buffer = buffer;
      this.mapped = buffer.mapped();
    }

    long take(long bytes) {
      long offset = used;
      used = Math.min(buffer.bytes(), used + stagedBytes(bytes));
      return offset;
    }

    ByteBuffer view(long offset, long bytes) {
      return mapped
          .slice(Math.toIntExact(offset), Math.toIntExact(bytes))
          .order(ByteOrder.LITTLE_ENDIAN);
    }
  }
}
