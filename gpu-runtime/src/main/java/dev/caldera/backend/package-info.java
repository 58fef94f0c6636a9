/** What every backend offers: device discovery, kernels, programs. */
@NullMarked
package dev.caldera.backend;

import org.jspecify.annotations.NullMarked;
