package dev.caldera.model.onnx;

import dev.caldera.graph.MappedFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A cursor over one message of the protocol buffers wire format.
 *
 * <p>A message is a sequence of fields, each a tag (varint: field number * 8 + wire type) and a
 * value. Wire types: 0 varint (7 bits a byte, least first, the high bit says that more follow), 1
 * eight bytes, 2 length (varint) and that many bytes, 5 four bytes. Every length is checked against
 * the message's end before it is used, so no input leads outside it or to a large allocation.
 */
final class ProtoReader {

  private static final int VARINT = 0;
  private static final int EIGHT_BYTES = 1;
  private static final int LENGTH_DELIMITED = 2;
  private static final int FOUR_BYTES = 5;
  private static final int MAX_TEXT_BYTES = 1 << 20;

  private final MappedFile data;
  private final String what;
  private long position;
  private int field;
  private int wireType;

  /**
   * A cursor before the first field.
   *
   * @param what names the message in errors
   */
  ProtoReader(MappedFile data, String what) {
    this.data = data;
    this.what = what;
  }

  /** Moves to the next field; false at the end. Its value must be read or skipped. */
  boolean next() {
    if (position == data.byteSize()) {
      return false;
    }
    long tag = rawVarint();
    field = (int) (tag >>> 3);
    wireType = (int) (tag & 7);
    if (field <= 0 || tag >>> 3 != field) {
      throw error("field number " + (tag >>> 3) + " is not valid");
    }
    return true;
  }

  /** The number of the current field. */
  int field() {
    return field;
  }

  /** An integer. */
  long integer() {
    expect(VARINT, "an integer");
    return rawVarint();
  }

  /** A 32-bit float. */
  float decimal() {
    expect(FOUR_BYTES, "a float");
    return Float.intBitsToFloat(rawInt());
  }

  /** Bytes, not copied. */
  MappedFile bytes() {
    expect(LENGTH_DELIMITED, "bytes");
    long length = rawVarint();
    if (length < 0 || length > data.byteSize() - position) {
      throw error(
          length + " bytes are announced, but only " + (data.byteSize() - position) + " are left");
    }
    MappedFile bytes = data.slice(position, length);
    position += length;
    return bytes;
  }

  /** UTF-8 text. */
  String text() {
    MappedFile bytes = bytes();
    if (bytes.byteSize() > MAX_TEXT_BYTES) {
      throw error("a text of " + bytes.byteSize() + " bytes is too long");
    }
    ByteBuffer buffer = ByteBuffer.allocate((int) bytes.byteSize());
    bytes.read(0, buffer);
    return StandardCharsets.UTF_8.decode(buffer.flip()).toString();
  }

  /** A message within this one. */
  ProtoReader message(String messageName) {
    return new ProtoReader(bytes(), messageName);
  }

  /** Adds one integer, or several if they are packed. */
  void integers(List<Long> into) {
    if (wireType == LENGTH_DELIMITED) {
      ProtoReader packed = message(what);
      while (packed.position < packed.data.byteSize()) {
        into.add(packed.rawVarint());
      }
    } else {
      into.add(integer());
    }
  }

  /** Adds one float, or several if they are packed. */
  void decimals(List<Float> into) {
    if (wireType == LENGTH_DELIMITED) {
      ProtoReader packed = message(what);
      while (packed.position < packed.data.byteSize()) {
        into.add(Float.intBitsToFloat(packed.rawInt()));
      }
    } else {
      into.add(decimal());
    }
  }

  /** Passes over the current field's value. */
  void skip() {
    switch (wireType) {
      case VARINT -> rawVarint();
      case EIGHT_BYTES -> advance(8);
      case LENGTH_DELIMITED -> bytes();
      case FOUR_BYTES -> advance(4);
      default -> throw error("wire type " + wireType + " is not valid");
    }
  }

  OnnxException error(String reason) {
    return new OnnxException(
        "Cannot read " + what + " of " + data.path() + ": at byte " + position + ", " + reason);
  }

  private void expect(int expected, String kind) {
    if (wireType != expected) {
      throw error("field " + field + " has wire type " + wireType + ", which is not " + kind);
    }
  }

  private void advance(int count) {
    if (count > data.byteSize() - position) {
      throw error("the data ends within a value");
    }
    position += count;
  }

  private int rawInt() {
    long start = position;
    advance(4);
    int value = 0;
    for (int i = 3; i >= 0; i--) {
      value = value << 8 | (data.get(start + i) & 0xff);
    }
    return value;
  }

  private long rawVarint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      long start = position;
      advance(1);
      byte next = data.get(start);
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw error("an integer has more than 10 bytes");
  }
}
