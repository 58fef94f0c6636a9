// Two neighbouring floats by one load of 64 bits; the first stands at an even place.
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Pairs { uint64_t at[]; };
vec2 pair(Pairs x, uint place) { return uintBitsToFloat(unpack32(x.at[place / 2])); }
