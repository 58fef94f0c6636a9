/** What runs in a task: rows to batches to the engine and back. */
@NullMarked
package dev.caldera.spark.task;

import org.jspecify.annotations.NullMarked;
