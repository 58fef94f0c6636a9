package dev.caldera.memory;

/** A device has no room for an allocation. */
public final class OutOfDeviceMemoryException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public OutOfDeviceMemoryException(String message) {
    super(message);
  }
}
