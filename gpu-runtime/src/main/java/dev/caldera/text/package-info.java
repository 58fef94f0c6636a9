/** Tokenizers. */
@NullMarked
package dev.caldera.text;

import org.jspecify.annotations.NullMarked;
