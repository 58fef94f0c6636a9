package dev.caldera.engine;

import java.nio.FloatBuffer;

/** Runs batches on a device; used by one worker. */
interface BatchRunner {

  /**
   * Runs a batch.
   *
   * @param results given the vectors, once, before this returns
   * @throws dev.caldera.memory.OutOfDeviceMemoryException if the device has no room for a batch of
   *     this size; {@code results} was given nothing then
   * @throws InterruptedException if the worker is interrupted while the device runs
   */
  void run(Batch batch, Results results) throws InterruptedException;

  /** Takes a batch's vectors. */
  interface Results {

    /**
     * Takes them.
     *
     * @param vectors row-major [texts, width], in the order of the batch; valid during the call
     * @param deviceNanos time the device took
     */
    void accept(FloatBuffer vectors, long deviceNanos);
  }
}
