package dev.caldera.model.onnx;

/** An ONNX file that cannot be read or imported; the message names file, node, op and opset. */
public final class OnnxException extends IllegalArgumentException {

  OnnxException(String message) {
    super(message);
  }

  OnnxException(String message, Throwable cause) {
    super(message, cause);
  }
}
