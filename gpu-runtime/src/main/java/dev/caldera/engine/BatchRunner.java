package dev.caldera.engine;

/** Runs batches on a device; used by one worker. */
interface BatchRunner extends AutoCloseable {

  /**
   * Runs a batch and delivers its vectors to its requests.
   *
   * @return nanoseconds that the device took
   * @throws dev.caldera.memory.OutOfDeviceMemoryException if the device has no room for a batch of
   *     this size; nothing was delivered then
   * @throws InterruptedException if the worker is interrupted while the device runs
   */
  long run(Batch batch) throws InterruptedException;

  @Override
  void close();
}
