package dev.caldera.backend.vulkan;

/**
 * The form of a matrix product's tiles. Both add in the same order, so their results have the same
 * bits.
 */
enum TileForm {
  /** 64 x 64 through shared memory: devices whose subgroups are wide. */
  SHARED,
  /** 16 rows by one subgroup, two columns a lane: devices that run a subgroup as one CPU vector. */
  NARROW;

  private static final int SHARED_TILE = 64;
  private static final int NARROW_ROWS = 16;
  private static final int NARROW_COLUMNS_A_LANE = 2;
  private static final int WIDE_SUBGROUP = 16;

  /** The form for a device: narrow where a subgroup has less than 16 invocations. */
  static TileForm of(Pipelines pipelines) {
    return pipelines.subgroupSize() < WIDE_SUBGROUP ? NARROW : SHARED;
  }

  /** Rows of a tile. */
  int rows() {
    return this == SHARED ? SHARED_TILE : NARROW_ROWS;
  }

  /** Columns of a tile. */
  int columns(Pipelines pipelines) {
    return this == SHARED ? SHARED_TILE : NARROW_COLUMNS_A_LANE * pipelines.subgroupSize();
  }
}
