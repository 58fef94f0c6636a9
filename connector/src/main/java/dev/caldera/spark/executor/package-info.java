/** What an executor keeps for all its tasks: device, engine, models. */
@NullMarked
package dev.caldera.spark.executor;

import org.jspecify.annotations.NullMarked;
