/** Device memory: arena, weight pool, staging pool, over a small device interface. */
@NullMarked
package dev.caldera.memory;

import org.jspecify.annotations.NullMarked;
