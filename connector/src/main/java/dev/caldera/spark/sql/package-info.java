/** From a SQL function to a batched operator: expression, extraction, plans. */
@NullMarked
package dev.caldera.spark.sql;

import org.jspecify.annotations.NullMarked;
