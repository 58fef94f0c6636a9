#version 460
// A function of two elements, by the ordinal of Op.BinaryKind; operands broadcast by strides of 0.
// variant f32: -DELEMENT=float -DRESULT=float
// variant i32: -DELEMENT=int -DRESULT=int
// variant i64: -DELEMENT=int64_t -DRESULT=int64_t
// variant bool: -DELEMENT=uint8_t -DRESULT=uint8_t
// variant f32_bool: -DELEMENT=float -DRESULT=uint8_t
// variant i32_bool: -DELEMENT=int -DRESULT=uint8_t
// variant i64_bool: -DELEMENT=int64_t -DRESULT=uint8_t
#include "lib/element.glsl"
#include "lib/each_element.glsl"
#include "lib/strides.glsl"
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Outcomes { RESULT at[]; };
layout(constant_id = 1) const uint KIND = 0;
layout(push_constant) uniform Push {
  Elements a;
  Elements b;
  Outcomes y;
  uint dims[RANK];
  uint stridesA[RANK];
  uint stridesB[RANK];
};
// A power whose base may be negative where the exponent is whole.
float power(float base, float exponent) {
  if (exponent == 2.0) return base * base;
  float size = exponent == 0.5 ? sqrt(abs(base)) : pow(abs(base), exponent);
  if (exponent == 0.0) return 1.0;
  if (base >= 0.0) return size;
  if (exponent != floor(exponent)) return uintBitsToFloat(0x7FC00000u);
  return mod(exponent, 2.0) == 0.0 ? size : -size;
}
RESULT apply(ELEMENT a, ELEMENT b) {
  ELEMENT zero = ELEMENT(0);
  switch (KIND) {
    case 0: return RESULT(a + b);
    case 1: return RESULT(a - b);
    case 2: return RESULT(a * b);
    case 3: return RESULT(a / b);
    case 4: return RESULT(power(float(a), float(b)));
    case 5: return RESULT(a < b ? a : b);
    case 6: return RESULT(a > b ? a : b);
    case 7: return RESULT(a == b);
    case 8: return RESULT(a < b);
    case 9: return RESULT(a > b);
    case 10: return RESULT(a != zero && b != zero);
    default: return RESULT(a != zero || b != zero);
  }
}
void main() {
  uint count = elements(dims);
  for (EACH_ELEMENT(i, count)) {
    y.at[i] = apply(a.at[offset(i, dims, stridesA)], b.at[offset(i, dims, stridesB)]);
  }
}
