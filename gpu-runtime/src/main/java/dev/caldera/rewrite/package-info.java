/** Graph rewrites, one class each: fold constants, fuse, pack, remove dead code. */
@NullMarked
package dev.caldera.rewrite;

import org.jspecify.annotations.NullMarked;
