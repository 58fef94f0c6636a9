package dev.caldera.plan;

import dev.caldera.graph.TensorData;
import java.nio.ByteBuffer;
import java.util.Objects;

/** A range of another tensor's data: the data of a view of a constant. */
record TensorDataRange(TensorData source, long start, long byteSize) implements TensorData {

  /** Bytes {@code [start, start + bytes)} of {@code source}. */
  static TensorData of(TensorData source, long start, long bytes) {
    Objects.checkFromIndexSize(start, bytes, source.byteSize());
    return start == 0 && bytes == source.byteSize()
        ? source
        : new TensorDataRange(source, start, bytes);
  }

  @Override
  public void read(long offset, ByteBuffer target) {
    Objects.checkFromIndexSize(offset, target.remaining(), byteSize);
    source.read(start + offset, target);
  }
}
