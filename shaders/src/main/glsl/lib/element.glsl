// The elements of a tensor. ELEMENT is their type in memory; kernels compute in float.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Elements { ELEMENT at[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer Results { ELEMENT at[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Floats { float at[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Integers { int at[]; };
