// Attention of one query over `length` keys by one invocation, online softmax, no score in memory.
// Keys go in blocks of BLOCK in ascending order: the order of additions depends on length and row alone.
// The including shader defines HEAD_SIZE and BLOCK, and
//   vec4 query(uint d), vec4 key(uint i, uint d), vec4 value(uint i, uint d), with d in steps of 4 elements,
//   bool visible(uint i), whether key i counts, and void result(uint d, vec4 x), which stores.
const uint VECTORS = HEAD_SIZE / 4;
const float LOWEST = -3.0e38;
float score(vec4 q[VECTORS], uint i) {
  vec4 sum = vec4(0.0);
  for (uint d = 0; d < VECTORS; d++) sum = fma(q[d], key(i, d), sum);
  return (sum.x + sum.y) + (sum.z + sum.w);
}
void attend(uint length, float scale) {
  float scaleLog2 = scale * 1.44269504088896341;
  vec4 q[VECTORS];
  vec4 sums[VECTORS];
  for (uint d = 0; d < VECTORS; d++) {
    q[d] = query(d) * scaleLog2;
    sums[d] = vec4(0.0);
  }
  float largest = LOWEST;
  float total = 0.0;
  for (uint first = 0; first < length; first += BLOCK) {
    float scores[BLOCK];
    float next = largest;
    for (uint i = 0; i < BLOCK; i++) {
      uint key = min(first + i, length - 1);
      bool counts = first + i < length && visible(key);
      scores[i] = counts ? score(q, key) : LOWEST;
      next = max(next, scores[i]);
    }
    float keep = exp2(largest - next);
    total *= keep;
    for (uint d = 0; d < VECTORS; d++) sums[d] *= keep;
    for (uint i = 0; i < BLOCK; i++) {
      float weight = scores[i] == LOWEST ? 0.0 : exp2(scores[i] - next);
      total += weight;
      for (uint d = 0; d < VECTORS; d++) {
        sums[d] = fma(vec4(weight), value(min(first + i, length - 1), d), sums[d]);
      }
    }
    largest = next;
  }
  for (uint d = 0; d < VECTORS; d++) result(d, sums[d] / total);
}
