#version 460
// Elements of one type to another; a float to an integer truncates towards zero, anything but 0 is true.
// variant f32_i32: -DELEMENT=float -DTARGET=int -DCONVERT=TARGET
// variant f32_i64: -DELEMENT=float -DTARGET=int64_t -DCONVERT=TARGET
// variant f32_bool: -DELEMENT=float -DTARGET=uint8_t -DCONVERT=truth
// variant i32_f32: -DELEMENT=int -DTARGET=float -DCONVERT=TARGET
// variant i32_i64: -DELEMENT=int -DTARGET=int64_t -DCONVERT=TARGET
// variant i32_bool: -DELEMENT=int -DTARGET=uint8_t -DCONVERT=truth
// variant i64_f32: -DELEMENT=int64_t -DTARGET=float -DCONVERT=TARGET
// variant i64_i32: -DELEMENT=int64_t -DTARGET=int -DCONVERT=TARGET
// variant i64_bool: -DELEMENT=int64_t -DTARGET=uint8_t -DCONVERT=truth
// variant bool_f32: -DELEMENT=uint8_t -DTARGET=float -DCONVERT=TARGET
// variant bool_i32: -DELEMENT=uint8_t -DTARGET=int -DCONVERT=TARGET
// variant bool_i64: -DELEMENT=uint8_t -DTARGET=int64_t -DCONVERT=TARGET
#include "lib/element.glsl"
#include "lib/each_element.glsl"
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Targets { TARGET at[]; };
layout(push_constant) uniform Push {
  Elements x;
  Targets y;
  uint count;
};
uint8_t truth(ELEMENT x) { return uint8_t(x != ELEMENT(0)); }
void main() {
  for (EACH_ELEMENT(i, count)) y.at[i] = CONVERT(x.at[i]);
}
