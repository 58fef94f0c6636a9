// One invocation an element, in strides of the whole dispatch, so that any count fits any device.
layout(local_size_x_id = 0) in;
#define EACH_ELEMENT(index, count) \
  uint index = gl_GlobalInvocationID.x; index < count; index += gl_NumWorkGroups.x * gl_WorkGroupSize.x
