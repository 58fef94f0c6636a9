/** Planning: layouts, liveness, memory plan, schedule; the result is an immutable plan. */
@NullMarked
package dev.caldera.plan;

import org.jspecify.annotations.NullMarked;
