package dev.caldera.backend.vulkan;

/**
 * The limits of a physical device that kernels and memory meet.
 *
 * @param allocationBytes the most bytes of one allocation
 * @param deviceHeapBytes size of the heap that {@code DEVICE} buffers come from
 * @param sharedMemoryBytes shared memory of a workgroup
 * @param workgroupInvocations invocations of a workgroup
 * @param workgroupSizeX invocations of a workgroup in x
 * @param groupsX workgroups of a dispatch in x
 * @param groupsY workgroups of a dispatch in y
 * @param groupsZ workgroups of a dispatch in z
 * @param pushConstantBytes push constants of a dispatch
 * @param subgroupSize invocations of a subgroup
 * @param timestampNanos nanoseconds of a timestamp's tick; 0 where the queue has no timestamps
 */
record DeviceLimits(
    long allocationBytes,
    long deviceHeapBytes,
    int sharedMemoryBytes,
    int workgroupInvocations,
    int workgroupSizeX,
    long groupsX,
    long groupsY,
    long groupsZ,
    int pushConstantBytes,
    int subgroupSize,
    double timestampNanos) {}
