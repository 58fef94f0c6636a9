package dev.caldera.engine;

import dev.caldera.backend.Device;
import dev.caldera.engine.Encoder.ModelFacts;
import dev.caldera.memory.BufferUse;
import dev.caldera.memory.StagingBuffer;
import dev.caldera.memory.StagingPool;
import dev.caldera.memory.Transfer;
import dev.caldera.memory.WeightPool;
import dev.caldera.model.EncoderGraph;
import dev.caldera.model.ModelFolder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the models of a process on one device. Requests from all tasks become batches, batches run
 * by plans, results go back in each caller's order.
 *
 * <pre>{@code
 * try (Device device = Devices.discover().select("auto").open(DeviceOptions.defaults());
 *     Engine engine = Engine.open(device, EngineOptions.defaults());
 *     Encoder encoder = engine.encoder(ModelFolder.open(path), EncoderOptions.defaults())) {
 *   float[] vectors = encoder.embed(encoder.tokenize(texts)).get().values();
 * }
 * }</pre>
 *
 * <p>The way of a request:
 *
 * <ol>
 *   <li>{@link Encoder#embed} checks its tokens and puts it in the {@link RequestQueue}, which
 *       blocks while too much waits;
 *   <li>a {@link Worker} takes a {@link Batch}, cut by {@link Lane} and {@link Shares};
 *   <li>{@link DeviceRunner} packs it, takes the program of its shape bucket from the {@link
 *       LoadedEncoder}, and runs it in one submission over the worker's arena;
 *   <li>each {@link Request} takes its vectors, and completes with the last of them.
 * </ol>
 *
 * <p>Thread-safe.
 */
public final class Engine implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
  private static final AtomicInteger ENGINES = new AtomicInteger();

  /** The most bytes of staging memory; what is used is far less, and grows as needed. */
  private static final long STAGING_BYTES = 1L << 30;

  private static final int LEAST_WAITING_TOKENS = 1 << 16;
  private static final int WAITING_BATCHES = 8;

  /** Graph inputs that a batch uploads. */
  private static final int INPUTS = 4;

  private final Device device;
  private final EncoderGraphs graphs;
  private final BatchLimits limits;
  private final StagingPool staging;
  private final WeightPool weights;
  private final Arenas arenas;
  private final RequestQueue queue;
  private final Models models = new Models(this::load);
  private final Counters counters = new Counters();
  private final Set<String> loadedModels = ConcurrentHashMap.newKeySet();
  private final List<Thread> workers = new ArrayList<>();

  private Engine(Device device, EngineOptions options, EncoderGraphs graphs) {
    Device.Driving driving = device.driving();
    this.device = device;
    this.graphs = graphs;
    this.limits =
        BatchLimits.ofTokens(
            options.batchTokens() > 0 ? options.batchTokens() : driving.batchTokens());
    this.staging = new StagingPool(device, STAGING_BYTES);
    this.weights = WeightPool.copied(device, staging, weightBytes(device, options));
    this.arenas = new Arenas(device, driving.arenaPerWorker() ? driving.workers() : 1);
    int sideBySide = driving.arenaPerWorker() ? driving.workers() : 1;
    this.queue =
        new RequestQueue(
            limits, waitingTokens(options, driving), () -> new Shares(limits.tokens(), sideBySide));
  }

  /** Opens an engine on a device, which stays its opener's and must outlive the engine. */
  public static Engine open(Device device, EngineOptions options) {
    return open(device, options, EncoderGraphs.standard());
  }

  static Engine open(Device device, EngineOptions options, EncoderGraphs graphs) {
    Engine engine = new Engine(device, options, graphs);
    engine.start();
    return engine;
  }

  private static long weightBytes(Device device, EngineOptions options) {
    if (options.weightBytes() > 0) {
      return options.weightBytes();
    }
    long memory = device.info().memoryBytes();
    return memory > 0 ? memory / 4 * 3 : Long.MAX_VALUE;
  }

  private int waitingTokens(EngineOptions options, Device.Driving driving) {
    if (options.waitingTokens() > 0) {
      return options.waitingTokens();
    }
    long batches = (long) WAITING_BATCHES * driving.workers() * limits.tokens();
    return (int) Math.min(Integer.MAX_VALUE, Math.max(LEAST_WAITING_TOKENS, batches));
  }

  private void start() {
    int number = ENGINES.incrementAndGet();
    int count = device.driving().workers();
    for (int i = 0; i < count; i++) {
      int index = i;
      DeviceRunner runner = new DeviceRunner(device, staging, () -> arenas.of(index));
      Worker worker = new Worker(queue, runner, counters, device.info().name());
      Thread thread = new Thread(worker, "caldera-engine-" + number + "-worker-" + i);
      thread.setDaemon(true);
      thread.start();
      workers.add(thread);
    }
    LOG.info(
        "Engine {} runs on {} (driver {}): {} workers, batches of at most {} tokens",
        number,
        device.info().name(),
        device.info().driver(),
        count,
        limits.tokens());
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
    EncoderSettings settings = EncoderSettings.resolve(model.description(), options);
    LoadedEncoder loaded = models.acquire(model, settings);
    return new EncoderHandle(loaded, queue, counters, () -> facts(loaded));
  }

  private LoadedEncoder load(ModelFolder folder, EncoderSettings settings)
      throws InterruptedException {
    long start = System.nanoTime();
    device.warmUp();
    EncoderGraph graph = graphs.read(folder, settings);
    loadedModels.add(folder.toString());
    LoadedEncoder loaded =
        LoadedEncoder.load(device, weights, arenas, limits, folder, graph, settings);
    reserveStaging(loaded);
    loaded.loadedIn(System.nanoTime() - start);
    counters.modelLoads.increment();
    counters.loadNanos.add(loaded.loadNanos());
    LOG.info(
        "Model {} with {} is loaded on {} in {} ms, {} MiB of weights; {}",
        folder,
        settings,
        device.info().name(),
        loaded.loadNanos() / 1_000_000,
        weights.bytes(folder.toString()) >> 20,
        loaded.largestPlan().memory().summary());
    return loaded;
  }

  /** Has the staging pool make what all workers need at once, so that no batch has to allocate. */
  private void reserveStaging(LoadedEncoder model) throws InterruptedException {
    BatchLimits batch = model.largestBatch();
    long upload = (long) INPUTS * (Integer.BYTES * (batch.tokens() + 1L) + Transfer.ALIGNMENT);
    long readback = (long) Float.BYTES * batch.texts() * model.width();
    List<StagingBuffer> buffers = new ArrayList<>();
    try {
      for (int worker = 0; worker < workers.size(); worker++) {
        buffers.add(staging.acquire(upload, BufferUse.UPLOAD));
        buffers.add(staging.acquire(readback, BufferUse.READBACK));
      }
    } finally {
      buffers.forEach(StagingBuffer::close);
    }
  }

  private ModelFacts facts(LoadedEncoder model) {
    String id = model.folder().toString();
    return new ModelFacts(
        model.name(),
        model.folder().revision(),
        device.info().name(),
        model.loadNanos(),
        weights.uploads(id),
        weights.bytes(id),
        model.largestPlan().memory().summary());
  }

  /** The device. */
  public Device device() {
    return device;
  }

  /** What was done until now. */
  public EngineMetrics metrics() {
    return counters.snapshot(loadedModels.stream().mapToLong(weights::uploads).sum());
  }

  /**
   * Takes no more requests, finishes those it has, and frees what it holds on the device. If the
   * thread is interrupted, requests that are still waiting complete with {@link
   * CancellationException}. A second call does nothing.
   */
  @Override
  public void close() {
    queue.close();
    joinWorkers();
    models.close();
    weights.close();
    arenas.close();
    staging.close();
  }

  private void joinWorkers() {
    boolean interrupted = false;
    for (Thread worker : workers) {
      while (worker.isAlive()) {
        try {
          worker.join();
        } catch (InterruptedException e) {
          interrupted = true;
          queue.clear().forEach(Engine::cancel);
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void cancel(Request request) {
    request
        .future()
        .completeExceptionally(
            new CancellationException("Cannot embed texts: the engine is closed"));
  }
}
