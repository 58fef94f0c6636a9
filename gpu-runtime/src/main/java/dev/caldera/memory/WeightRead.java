package dev.caldera.memory;

import java.nio.ByteBuffer;

/**
 * One read of a weight, in a piece small enough to be staged.
 *
 * @param record what is read
 * @param offset bytes from the record's start
 * @param target where the bytes go
 */
public record WeightRead(WeightRecord record, long offset, BufferRange target) {

  /** Reads the piece's bytes into {@code staged}, which has room for exactly them. */
  public void read(ByteBuffer staged) {
    record.data().read(offset, staged);
  }
}
