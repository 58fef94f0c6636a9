/** The Spark side of Caldera: plugin, extensions, and helpers for Java and Scala. */
@NullMarked
package dev.caldera.spark;

import org.jspecify.annotations.NullMarked;
