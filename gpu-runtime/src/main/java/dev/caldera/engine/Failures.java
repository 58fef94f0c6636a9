package dev.caldera.engine;

import dev.caldera.memory.OutOfDeviceMemoryException;
import org.jspecify.annotations.Nullable;

/** Failures of one thread, thrown in another. */
final class Failures {
  private Failures() {}

  /**
   * The failure as the calling thread's own: of the same kind and message where callers tell kinds
   * apart, with the other thread's as its cause.
   */
  static RuntimeException rethrow(String what, @Nullable Throwable cause) {
    String message = cause == null ? what : String.valueOf(cause.getMessage());
    if (cause instanceof IllegalArgumentException) {
      return new IllegalArgumentException(message, cause);
    }
    if (cause instanceof OutOfDeviceMemoryException) {
      OutOfDeviceMemoryException full = new OutOfDeviceMemoryException(what + ": " + message);
      full.initCause(cause);
      return full;
    }
    return new IllegalStateException(what + ": " + (cause == null ? "unknown" : cause), cause);
  }
}
