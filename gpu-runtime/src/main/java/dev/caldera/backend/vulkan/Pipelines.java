package dev.caldera.backend.vulkan;

import dev.caldera.shaders.Shader;

/** The pipelines of a device, each made once. Thread-safe. */
interface Pipelines {

  /**
   * The pipeline of {@code shader} with specialization constant {@code i} set to {@code
   * constants[i]}: an integer, a bool as 0 or 1, a float by {@link Float#floatToRawIntBits}.
   *
   * @throws IllegalArgumentException if the shader needs more than the device has (shared memory,
   *     workgroup size, push constants); names shader and limit
   */
  Pipeline pipeline(Shader shader, int... constants);

  /** Invocations of a subgroup on this device. */
  int subgroupSize();

  /** The most invocations of a workgroup on this device. */
  int workgroupLimit();

  /** Bytes of shared memory of a workgroup on this device. */
  int sharedMemoryLimit();
}
