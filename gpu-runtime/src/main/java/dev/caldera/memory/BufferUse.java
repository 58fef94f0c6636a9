package dev.caldera.memory;

/** What a buffer is for; decides where it lies. */
public enum BufferUse {
  /** Read and written by kernels; not visible to the host. */
  DEVICE,
  /** Written by the host, read by the device. */
  UPLOAD,
  /** Written by the device, read by the host. */
  READBACK
}
