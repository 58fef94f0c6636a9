/** Models: folders, formats and families to graphs. */
@NullMarked
package dev.caldera.model;

import org.jspecify.annotations.NullMarked;
