/** What a model computes: an immutable graph of typed values and sealed op records. */
@NullMarked
package dev.caldera.graph;

import org.jspecify.annotations.NullMarked;
