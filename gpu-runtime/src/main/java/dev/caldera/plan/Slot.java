package dev.caldera.plan;

/**
 * A place in the arena.
 *
 * @param chunk which of the arena's allocations
 * @param offset bytes from the chunk's start, a multiple of the plan's alignment
 * @param bytes capacity; the actual length of a run may be less
 */
public record Slot(int chunk, long offset, long bytes) {}
