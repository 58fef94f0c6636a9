/** Compute shaders, compiled to SPIR-V when the project is built. */
@NullMarked
package dev.caldera.shaders;

import org.jspecify.annotations.NullMarked;
