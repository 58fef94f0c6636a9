package dev.caldera.backend.vulkan;

/** This machine has no usable Vulkan; the message says what to install. */
final class VulkanAbsentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  VulkanAbsentException(String message) {
    super(message);
  }
}
