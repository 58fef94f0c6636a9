package dev.caldera.backend.cpu;

/** Elements of other types than f32 in an array of floats, as raw little-endian bits. */
final class Bits {
  private Bits() {}

  /** Byte {@code index} (from 0) counted from element {@code at}. */
  static byte getByte(float[] data, int at, int index) {
    return (byte) (getInt(data, at + index / 4) >>> (8 * (index % 4)));
  }

  /** Sets byte {@code index} counted from element {@code at}. */
  static void putByte(float[] data, int at, int index, byte value) {
    int shift = 8 * (index % 4);
    int kept = getInt(data, at + index / 4) & ~(0xff << shift);
    putInt(data, at + index / 4, kept | ((value & 0xff) << shift));
  }

  static int getInt(float[] data, int at) {
    return Float.floatToRawIntBits(data[at]);
  }

  static void putInt(float[] data, int at, int value) {
    data[at] = Float.intBitsToFloat(value);
  }

  /** The long in elements {@code at} and {@code at + 1}. */
  static long getLong(float[] data, int at) {
    return Integer.toUnsignedLong(getInt(data, at)) | ((long) getInt(data, at + 1) << 32);
  }

  static void putLong(float[] data, int at, long value) {
    putInt(data, at, (int) value);
    putInt(data, at + 1, (int) (value >>> 32));
  }
}
