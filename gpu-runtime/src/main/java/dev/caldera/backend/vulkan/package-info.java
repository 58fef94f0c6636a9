/** The Vulkan backend; the only place that touches Vulkan. */
@NullMarked
package dev.caldera.backend.vulkan;

import org.jspecify.annotations.NullMarked;
