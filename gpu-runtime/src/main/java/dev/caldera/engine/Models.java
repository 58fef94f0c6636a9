package dev.caldera.engine;

import dev.caldera.memory.OutOfDeviceMemoryException;
import dev.caldera.model.ModelFolder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The models that are loaded or being loaded; thread-safe.
 *
 * <p>A model is loaded once, however many ask at a time, on a thread of its own: a caller that is
 * interrupted while it waits does not spoil the load for others. A load that fails is tried anew by
 * the next caller. A model that nobody holds stays loaded until another one needs its room; the one
 * that has been idle longest goes first.
 */
final class Models implements AutoCloseable {
  private static final AtomicInteger LOADS = new AtomicInteger();

  private final Loading loading;

  // Guarded by this.
  private final Map<Key, CompletableFuture<LoadedEncoder>> models = new HashMap<>();
  private boolean closed;

  /** No models yet. */
  Models(Loading loading) {
    this.loading = loading;
  }

  /**
   * A model, held for the caller, who releases it.
   *
   * @throws IllegalStateException if closed
   * @throws InterruptedException if interrupted while it is loaded
   */
  LoadedEncoder acquire(ModelFolder folder, EncoderSettings settings) throws InterruptedException {
    Key key = new Key(folder.toString(), settings);
    while (true) {
      LoadedEncoder model = await(key, startedLoad(key, folder, settings));
      if (model.tryHold()) {
        return model;
      }
      // Unloaded just now to make room: it is loaded again.
    }
  }

  private synchronized CompletableFuture<LoadedEncoder> startedLoad(
      Key key, ModelFolder folder, EncoderSettings settings) {
    if (closed) {
      throw new IllegalStateException("Cannot load model " + folder + ": the engine is closed");
    }
    CompletableFuture<LoadedEncoder> started = models.get(key);
    if (started != null) {
      return started;
    }
    CompletableFuture<LoadedEncoder> load = new CompletableFuture<>();
    models.put(key, load);
    Thread thread =
        new Thread(
            () -> load(key, folder, settings, load), "caldera-load-" + LOADS.incrementAndGet());
    thread.setDaemon(true);
    thread.start();
    return load;
  }

  private void load(
      Key key,
      ModelFolder folder,
      EncoderSettings settings,
      CompletableFuture<LoadedEncoder> load) {
    try {
      load.complete(loadMakingRoom(folder, settings));
    } catch (Throwable failure) {
      synchronized (this) {
        models.remove(key, load);
      }
      load.completeExceptionally(failure);
    }
  }

  private LoadedEncoder loadMakingRoom(ModelFolder folder, EncoderSettings settings)
      throws InterruptedException {
    while (true) {
      try {
        return loading.load(folder, settings);
      } catch (OutOfDeviceMemoryException full) {
        if (!unloadLongestIdle()) {
          throw full;
        }
      }
    }
  }

  private synchronized boolean unloadLongestIdle() {
    Optional<Map.Entry<Key, CompletableFuture<LoadedEncoder>>> idle =
        models.entrySet().stream()
            .filter(entry -> isLoaded(entry.getValue()) && entry.getValue().join().isIdle())
            .min(Comparator.comparingLong(entry -> entry.getValue().join().idleSince()));
    if (idle.isEmpty()) {
      return false;
    }
    if (idle.get().getValue().join().unloadIfIdle()) {
      models.remove(idle.get().getKey());
    }
    return true;
  }

  private static boolean isLoaded(CompletableFuture<LoadedEncoder> model) {
    return model.isDone() && !model.isCompletedExceptionally();
  }

  private static LoadedEncoder await(Key key, CompletableFuture<LoadedEncoder> load)
      throws InterruptedException {
    try {
      return load.get();
    } catch (ExecutionException e) {
      throw Failures.rethrow("Cannot load model " + key.model(), e.getCause());
    }
  }

  /** Takes no more, waits for loads under way, and unloads all; nobody may use one any more. */
  @Override
  public void close() {
    List<CompletableFuture<LoadedEncoder>> all;
    synchronized (this) {
      closed = true;
      all = new ArrayList<>(models.values());
      models.clear();
    }
    for (CompletableFuture<LoadedEncoder> load : all) {
      load.handle((model, failure) -> model).join();
      if (isLoaded(load)) {
        load.join().unload();
      }
    }
  }

  /** Loads a model. */
  interface Loading {
    LoadedEncoder load(ModelFolder folder, EncoderSettings settings) throws InterruptedException;
  }

  /** What makes two loads the same: content and settings. */
  private record Key(String model, EncoderSettings settings) {}
}
