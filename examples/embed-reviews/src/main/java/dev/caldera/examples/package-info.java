/** The job of the example: semantic search over product reviews. */
@NullMarked
package dev.caldera.examples;

import org.jspecify.annotations.NullMarked;
