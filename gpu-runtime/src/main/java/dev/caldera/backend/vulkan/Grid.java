package dev.caldera.backend.vulkan;

/**
 * How work is cut into workgroups. Shaders that go over elements or rows walk on in strides of the
 * whole dispatch, so the number of workgroups need not cover them all.
 */
final class Grid {
  /** Subgroups of a workgroup of a shader that gives each row to one subgroup. */
  private static final int ROWS_A_WORKGROUP = 4;

  private static final int MOST_INVOCATIONS = 256;

  /** Vulkan promises this many workgroups in each direction on every device. */
  private static final long MOST_WORKGROUPS = 65_535;

  private Grid() {}

  /** Invocations of a workgroup of a shader that gives each element to one invocation. */
  static int elementInvocations(Pipelines pipelines) {
    return Math.min(MOST_INVOCATIONS, pipelines.workgroupLimit());
  }

  /** Invocations of a workgroup of a shader that gives each row to one subgroup. */
  static int rowInvocations(Pipelines pipelines) {
    return ROWS_A_WORKGROUP * pipelines.subgroupSize();
  }

  /**
   * Keys that attention takes in one go: several where registers are many, one where a subgroup is
   * a CPU vector and the unrolled code would take long to compile.
   */
  static int keyBlock(Pipelines pipelines) {
    return TileForm.of(pipelines) == TileForm.SHARED ? 4 : 1;
  }

  /** Workgroups for {@code rows} rows. */
  static long rowGroups(long rows) {
    return groups(rows, ROWS_A_WORKGROUP);
  }

  /** Workgroups of {@code size} for {@code items} items, as many as fit a dispatch. */
  static long groups(long items, long size) {
    return Math.min(tiles(items, size), MOST_WORKGROUPS);
  }

  /** Tiles of {@code size} that cover {@code items} items. */
  static long tiles(long items, long size) {
    return (items + size - 1) / size;
  }
}
