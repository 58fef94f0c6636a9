/** The CPU backend: Vector API kernels, and plain loops where it is absent. */
@NullMarked
package dev.caldera.backend.cpu;

import org.jspecify.annotations.NullMarked;
