/** The way between Java and Scala. */
@NullMarked
package dev.caldera.spark.interop;

import org.jspecify.annotations.NullMarked;
