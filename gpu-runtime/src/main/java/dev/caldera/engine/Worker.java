package dev.caldera.engine;

import dev.caldera.memory.OutOfDeviceMemoryException;
import java.nio.FloatBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Takes batches from the queue and runs them, until the queue is closed and empty.
 *
 * <p>A batch for which the device has no room is halved and tried again, down to one text, whose
 * request then fails. Any other failure fails the requests of the batch. The worker lives on, also
 * when interrupted.
 */
final class Worker implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

  private final RequestQueue queue;
  private final BatchRunner runner;
  private final Counters counters;
  private final String device;

  /**
   * A worker.
   *
   * @param device its name, for messages
   */
  Worker(RequestQueue queue, BatchRunner runner, Counters counters, String device) {
    this.queue = queue;
    this.runner = runner;
    this.counters = counters;
    this.device = device;
  }

  @Override
  public void run() {
    while (true) {
      long idleSince = System.nanoTime();
      Batch batch = take();
      long now = System.nanoTime();
      counters.idleNanos.add(now - idleSince);
      if (batch == null) {
        return;
      }
      batch.parts().forEach(part -> counters.waitNanos.add(part.request().batchStarted(now)));
      execute(batch);
    }
  }

  /** The next batch, null when there will be none; an interrupt does not end the wait for it. */
  private @Nullable Batch take() {
    while (true) {
      try {
        return queue.take();
      } catch (InterruptedException e) {
        LOG.warn("A worker of {} is interrupted and goes on: closing the engine ends it", device);
      }
    }
  }

  private void execute(Batch batch) {
    Batch live = batch.live();
    if (live.parts().isEmpty()) {
      return;
    }
    try {
      runner.run(live, (vectors, deviceNanos) -> deliver(live, vectors, deviceNanos));
    } catch (OutOfDeviceMemoryException e) {
      if (live.texts() == 1) {
        fail(live, new OutOfDeviceMemoryException(describe(live) + ": " + e.getMessage()));
        return;
      }
      logHalving(live, e);
      counters.halved.increment();
      live.halves().forEach(this::execute);
    } catch (InterruptedException e) {
      fail(live, new IllegalStateException(describe(live) + ": its worker is interrupted", e));
    } catch (RuntimeException | Error e) {
      LOG.error("{}", describe(live), e);
      fail(live, new IllegalStateException(describe(live) + ": " + e.getMessage(), e));
    }
  }

  /** Logs the first halving as a warning: where one batch has no room, most have none. */
  private void logHalving(Batch batch, OutOfDeviceMemoryException cause) {
    Level level = counters.halved.sum() == 0 ? Level.WARN : Level.DEBUG;
    LOG.atLevel(level).log("{}; trying again in halves: {}", describe(batch), cause.getMessage());
  }

  private void deliver(Batch batch, FloatBuffer vectors, long deviceNanos) {
    int tokens = batch.tokens();
    counters.batches.increment();
    counters.rows.add(batch.texts());
    counters.tokens.add(tokens);
    counters.deviceNanos.add(deviceNanos);
    for (Part part : batch.parts()) {
      long share = Math.round((double) deviceNanos * part.tokens() / tokens);
      part.request().deliver(part.from(), part.to(), vectors, share);
    }
  }

  private static void fail(Batch batch, RuntimeException cause) {
    batch.parts().forEach(part -> part.request().future().completeExceptionally(cause));
  }

  private String describe(Batch batch) {
    return "Cannot embed "
        + batch.texts()
        + (batch.texts() == 1 ? " text of " : " texts of ")
        + batch.tokens()
        + " tokens with "
        + batch.model().name()
        + " on "
        + device;
  }
}
