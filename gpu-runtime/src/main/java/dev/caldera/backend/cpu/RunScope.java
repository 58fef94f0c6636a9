package dev.caldera.backend.cpu;

import java.util.List;
import java.util.Map;

/**
 * One run of a program.
 *
 * @param chunks arrays of the arena, by chunk index
 * @param sizes actual size of each symbolic dim
 */
record RunScope(List<float[]> chunks, Map<String, Long> sizes) {}
