/** The engine: requests from all tasks to batches to plans to results. */
@NullMarked
package dev.caldera.engine;

import org.jspecify.annotations.NullMarked;
