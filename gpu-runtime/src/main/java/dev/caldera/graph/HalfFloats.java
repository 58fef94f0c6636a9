package dev.caldera.graph;

/**
 * The two 16-bit float formats, rounded to nearest, ties to even.
 *
 * <p>F16 (IEEE binary16) has 1 sign, 5 exponent (bias 15) and 10 fraction bits; BF16 is the upper
 * half of an F32.
 */
final class HalfFloats {

  private HalfFloats() {}

  /** The nearest value that {@code dtype} holds; {@code value} itself if it is F32. */
  static float round(DType dtype, float value) {
    return switch (dtype) {
      case F16 -> fromF16(toF16(value));
      case BF16 -> fromBf16(toBf16(value));
      default -> value;
    };
  }

  static float fromBf16(short bits) {
    return Float.intBitsToFloat(bits << 16);
  }

  static short toBf16(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      return (short) ((bits >>> 16) | 0x40);
    }
    int roundUp = 0x7fff + ((bits >>> 16) & 1);
    return (short) ((bits + roundUp) >>> 16);
  }

  static float fromF16(short bits) {
    int exponent = (bits >>> 10) & 0x1f;
    int fraction = bits & 0x3ff;
    float magnitude;
    if (exponent == 0x1f) {
      magnitude = fraction == 0 ? Float.POSITIVE_INFINITY : Float.NaN;
    } else if (exponent == 0) {
      magnitude = Math.scalb((float) fraction, -24);
    } else {
      magnitude = Math.scalb((float) (fraction | 0x400), exponent - 25);
    }
    return bits < 0 ? -magnitude : magnitude;
  }

  static short toF16(float value) {
    int sign = (Float.floatToRawIntBits(value) >>> 16) & 0x8000;
    float magnitude = Math.abs(value);
    if (Float.isNaN(value)) {
      return (short) (sign | 0x7e00);
    }
    if (magnitude >= 65520f) {
      return (short) (sign | 0x7c00);
    }
    // One unit in the last place: 2^(e - 10), but at least 2^-24, the smallest subnormal.
    int exponent = Math.max(Math.getExponent(magnitude), -14);
    int units = (int) Math.rint(Math.scalb((double) magnitude, 10 - exponent));
    // A carry out of the fraction moves into the exponent, as it should.
    return (short) (sign | (((exponent + 14) << 10) + units));
  }
}
