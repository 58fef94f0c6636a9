/**
 * The engine: requests from all tasks to batches to plans to results. {@link
 * dev.caldera.engine.Engine} tells the way of a request; {@link dev.caldera.engine.Encoder} is what
 * a task holds.
 */
@NullMarked
package dev.caldera.engine;

import org.jspecify.annotations.NullMarked;
