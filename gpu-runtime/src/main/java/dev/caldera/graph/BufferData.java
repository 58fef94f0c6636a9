package dev.caldera.graph;

import java.nio.ByteBuffer;
import java.util.Objects;

/** Elements in a buffer in memory. */
record BufferData(ByteBuffer buffer) implements TensorData {

  @Override
  public long byteSize() {
    return buffer.capacity();
  }

  @Override
  public void read(long offset, ByteBuffer target) {
    Objects.checkFromIndexSize(offset, target.remaining(), byteSize());
    target.put(buffer.slice((int) offset, target.remaining()));
  }
}
