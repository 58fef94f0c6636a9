/** The ONNX format. */
@NullMarked
package dev.caldera.model.onnx;

import org.jspecify.annotations.NullMarked;
