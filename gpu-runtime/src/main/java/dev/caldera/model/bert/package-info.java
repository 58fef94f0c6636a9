/** The BERT family of encoders. */
@NullMarked
package dev.caldera.model.bert;

import org.jspecify.annotations.NullMarked;
