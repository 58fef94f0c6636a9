/** Comparisons with what users would run instead; each tells its command. */
@NullMarked
package dev.caldera.bench;

import org.jspecify.annotations.NullMarked;
