// One subgroup a row, in strides of the whole dispatch. Sums over a row go first within each lane, in
// steps of the subgroup's size, then over the lanes: the order depends on the row's length alone.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x_id = 0) in;
#define EACH_ROW(row, count)                                                  \
  uint row = gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID; row < count; \
  row += gl_NumWorkGroups.x * gl_NumSubgroups
// The elements of a row that this lane takes.
#define EACH_LANE(column, count) \
  uint column = gl_SubgroupInvocationID; column < count; column += gl_SubgroupSize
