/** What a user can set: typed entries with documentation and defaults. */
@NullMarked
package dev.caldera.spark.config;

import org.jspecify.annotations.NullMarked;
