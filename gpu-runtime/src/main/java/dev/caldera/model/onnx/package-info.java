/**
 * The ONNX format.
 *
 * <p>{@link dev.caldera.model.onnx.OnnxLoader} maps the file, {@code OnnxFileReader} reads its
 * messages with {@code ProtoReader}, and {@code GraphImport} turns nodes into a graph, one {@code
 * OpImporter} an ONNX op. To add an op: write its importer, which reads operands and attributes
 * from the {@code NodeImport} and applies ops of {@code dev.caldera.graph}, and put it in {@code
 * OpTable}.
 */
@NullMarked
package dev.caldera.model.onnx;

import org.jspecify.annotations.NullMarked;
