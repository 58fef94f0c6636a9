package dev.caldera.engine;

import dev.caldera.backend.Device;
import dev.caldera.backend.Device.Program;
import dev.caldera.memory.WeightPool;
import dev.caldera.model.EncoderGraph;
import dev.caldera.model.ModelFolder;
import dev.caldera.plan.ExecutionPlan;
import dev.caldera.plan.PlanCache;
import dev.caldera.plan.Planner;
import dev.caldera.plan.ShapeBuckets;
import dev.caldera.text.TokenBatch;
import dev.caldera.text.Tokenizer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A model on a device: tokenizer, plans, programs and a lease of its weights. Shared by all that
 * hold it; thread-safe.
 */
final class LoadedEncoder implements EncoderModel {
  private final Device device;
  private final ModelFolder folder;
  private final EncoderGraph graph;
  private final Vocabulary vocabulary;
  private final Tokenizer tokenizer;
  private final PlanCache plans;
  private final WeightPool.Lease weights;
  private final BatchLimits largest;
  private final Map<Map<String, Long>, Program> programs = new ConcurrentHashMap<>();

  // Guarded by this.
  private int holds;
  private long idleSince = System.nanoTime();
  private boolean unloaded;
  private long loadNanos;

  private LoadedEncoder(
      Device device,
      ModelFolder folder,
      EncoderGraph graph,
      Vocabulary vocabulary,
      Tokenizer tokenizer,
      PlanCache plans,
      WeightPool.Lease weights,
      BatchLimits largest) {
    this.device = device;
    this.folder = folder;
    this.graph = graph;
    this.vocabulary = vocabulary;
    this.tokenizer = tokenizer;
    this.plans = plans;
    this.weights = weights;
    this.largest = largest;
  }

  /**
   * Loads a model.
   *
   * @param limits the most that a batch carries
   * @throws IllegalArgumentException if a file is not valid or does not fit the settings
   * @throws dev.caldera.memory.OutOfDeviceMemoryException if the device has no room
   */
  static LoadedEncoder load(
      Device device,
      WeightPool pool,
      Arenas arenas,
      BatchLimits limits,
      ModelFolder folder,
      EncoderGraph graph,
      EncoderSettings settings)
      throws InterruptedException {
    if (settings.maxTokens() > graph.maxTokens()) {
      throw new IllegalArgumentException(
          "Cannot use model "
              + folder.path()
              + " with "
              + EncoderOptions.MAX_TOKENS
              + " "
              + settings.maxTokens()
              + ": it has positions for "
              + graph.maxTokens()
              + " tokens");
    }
    Vocabulary vocabulary =
        Vocabulary.of(folder.path().toString(), graph.graph(), settings.maxTokens());
    BatchLimits largest =
        new BatchLimits(Math.max(limits.tokens(), settings.maxTokens()), limits.texts());
    PlanCache plans = plans(device, folder, graph, largest);
    Tokenizer tokenizer = Tokenizer.open(folder.tokenizer(), settings.maxTokens());
    WeightPool.Lease lease = null;
    try {
      lease = pool.open(plans.largest());
      arenas.reserve(plans.largest().memory());
      LoadedEncoder loaded =
          new LoadedEncoder(device, folder, graph, vocabulary, tokenizer, plans, lease, largest);
      loaded.program(plans.largest());
      return loaded;
    } catch (Throwable failure) {
      tokenizer.close();
      if (lease != null) {
        lease.close();
      }
      throw failure;
    }
  }

  private static PlanCache plans(
      Device device, ModelFolder folder, EncoderGraph graph, BatchLimits largest) {
    Planner planner =
        new Planner(device.info().backend(), device.kernels(), device.allocationLimit());
    Map<String, Long> sizes =
        Map.of(
            EncoderGraph.TOKENS, (long) largest.tokens(),
            EncoderGraph.SEQUENCES, (long) largest.texts());
    return new PlanCache(
        new ShapeBuckets(sizes), bucket -> planner.plan(graph.graph(), folder.toString(), bucket));
  }

  /** Tokenises texts. */
  TokenBatch tokenize(List<String> texts) {
    return tokenizer.encode(texts);
  }

  /** Checks that a batch fits the model; see {@link Vocabulary#check}. */
  void check(TokenBatch tokens) {
    vocabulary.check(tokens);
  }

  /** Where it came from. */
  ModelFolder folder() {
    return folder;
  }

  /** Notes how long loading took. */
  synchronized void loadedIn(long nanos) {
    loadNanos = nanos;
  }

  /** Nanoseconds that loading took. */
  synchronized long loadNanos() {
    return loadNanos;
  }

  /** The most that one of its batches carries. */
  BatchLimits largestBatch() {
    return largest;
  }

  /** The plan of its largest batch. */
  ExecutionPlan largestPlan() {
    return plans.largest();
  }

  @Override
  public String name() {
    return folder.path().toString();
  }

  @Override
  public int width() {
    return graph.width();
  }

  @Override
  public int positionOffset() {
    return graph.positionOffset();
  }

  @Override
  public Program program(int tokens) {
    long texts = Math.min(tokens, largest.texts());
    return program(
        plans.plan(Map.of(EncoderGraph.TOKENS, (long) tokens, EncoderGraph.SEQUENCES, texts)));
  }

  private Program program(ExecutionPlan plan) {
    return programs.computeIfAbsent(plan.bucket(), bucket -> device.compile(plan, weights));
  }

  @Override
  public synchronized void hold() {
    if (!tryHold()) {
      throw new IllegalStateException("Cannot use model " + name() + ": it is not loaded any more");
    }
  }

  /** Holds it unless it is unloaded; answers whether it does. */
  synchronized boolean tryHold() {
    if (!unloaded) {
      holds++;
    }
    return !unloaded;
  }

  @Override
  public synchronized void release() {
    holds--;
    idleSince = System.nanoTime();
  }

  /** When the last one gave it back, by {@link System#nanoTime()}. */
  synchronized long idleSince() {
    return idleSince;
  }

  /** Whether nobody holds it. */
  synchronized boolean isIdle() {
    return holds == 0;
  }

  /** Unloads it unless somebody holds it; answers whether it is unloaded now. */
  synchronized boolean unloadIfIdle() {
    if (holds == 0) {
      unload();
    }
    return unloaded;
  }

  /** Frees what it holds on the device and in native memory; a second call does nothing. */
  synchronized void unload() {
    if (!unloaded) {
      unloaded = true;
      programs.values().forEach(Program::close);
      weights.close();
      tokenizer.close();
    }
  }
}
