/** What tests of several packages share: the real model, devices, oracles. */
@NullMarked
package dev.caldera.testing;

import org.jspecify.annotations.NullMarked;
