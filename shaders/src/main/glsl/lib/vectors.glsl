// The elements of a tensor, four at a time: ELEMENT4 is the vector of four ELEMENTs.
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Vectors { ELEMENT4 at[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer VectorResults { ELEMENT4 at[]; };
