package dev.caldera.engine;

import dev.caldera.backend.Device;
import dev.caldera.model.ModelFolder;

/**
 * Runs the models of a process on one device. Requests from all tasks become batches, batches run
 * by plans, results go back in each caller's order.
 *
 * <pre>{@code
 * try (Device device = ...;
 *     Engine engine = Engine.open(device, EngineOptions.defaults());
 *     Encoder encoder = engine.encoder(ModelFolder.open(path), EncoderOptions.defaults())) {
 *   float[] vectors = encoder.embed(encoder.tokenize(texts)).get().values();
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class Engine implements AutoCloseable {
  private final Device device;

  private Engine(Device device) {
    this.device = device;
  }

  /** Opens an engine on a device, which stays its opener's and must outlive the engine. */
  public static Engine open(Device device, EngineOptions options) {
    return new Engine(device);
  }

  /**
   * An encoder, loaded unless it is already: once, however many callers ask at a time. The caller
   * closes it.
   *
   * @throws IllegalArgumentException if model and options do not fit, or a file is not valid
   * @throws dev.caldera.memory.OutOfDeviceMemoryException if the device has no room for it
   * @throws InterruptedException if interrupted while it is loaded; the load goes on for others
   */
  public Encoder encoder(ModelFolder model, EncoderOptions options) throws InterruptedException {
    throw new UnsupportedOperationException();
  }

  /** The device. */
  public Device device() {
    return device;
  }

  /** What was done until now. */
  public EngineMetrics metrics() {
    throw new UnsupportedOperationException();
  }

  /**
   * Takes no more requests, finishes those it has, and frees what it holds on the device. If the
   * thread is interrupted, requests that are still waiting complete with {@link
   * java.util.concurrent.CancellationException}.
   */
  @Override
  public void close() {}
}
