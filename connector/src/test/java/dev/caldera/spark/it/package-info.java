/** Tests of the shaded jar, in JVMs of their own. */
@NullMarked
package dev.caldera.spark.it;

import org.jspecify.annotations.NullMarked;
