/** The command line. */
@NullMarked
package dev.caldera;

import org.jspecify.annotations.NullMarked;
