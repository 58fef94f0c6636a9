// Tensors of up to 6 dims walked in the order of their elements, each under strides of its own.
// Unused dims are 1.
const uint RANK = 6;
uint offset(uint index, uint dims[RANK], uint strides[RANK]) {
  uint sum = 0;
  for (int axis = int(RANK) - 1; axis >= 0; axis--) {
    if (dims[axis] != 1) {
      sum += index % dims[axis] * strides[axis];
      index /= dims[axis];
    }
  }
  return sum;
}
uint elements(uint dims[RANK]) {
  uint product = 1;
  for (uint axis = 0; axis < RANK; axis++) product *= dims[axis];
  return product;
}
