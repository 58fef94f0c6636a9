#version 460
// Mean over some dims: one subgroup a result, over its elements in their order.
// variant f32: -DELEMENT=float
#include "lib/element.glsl"
#include "lib/each_row.glsl"
#include "lib/strides.glsl"
layout(push_constant) uniform Push {
  Elements x;
  Results y;
  uint keptDims[RANK];
  uint keptStrides[RANK];
  uint reducedDims[RANK];
  uint reducedStrides[RANK];
};
void main() {
  uint rows = elements(keptDims);
  uint count = elements(reducedDims);
  for (EACH_ROW(row, rows)) {
    uint start = offset(row, keptDims, keptStrides);
    float sum = 0.0;
    for (EACH_LANE(i, count)) sum += float(x.at[start + offset(i, reducedDims, reducedStrides)]);
    sum = subgroupAdd(sum);
    if (subgroupElect()) y.at[row] = ELEMENT(sum / float(count));
  }
}
