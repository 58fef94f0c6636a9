package dev.caldera.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests between callers and workers: bounded, and cut into batches where they are taken.
 *
 * <p>Room is counted in tokens and given in the order of asking, so a large request is not
 * overtaken for ever by small ones; one that is larger than all room takes all of it. A text gives
 * its room back when it goes into a batch. Models take turns, a batch each.
 */
final class RequestQueue {
  private final BatchLimits limits;
  private final int limit;
  private final Supplier<Shares> shares;
  private final Semaphore room;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by lock.
  private final Map<EncoderModel, Lane> lanes = new IdentityHashMap<>();
  private final Deque<Lane> turns = new ArrayDeque<>();
  private boolean closed;

  /**
   * An empty queue.
   *
   * @param limits the most that a batch carries
   * @param limit the most tokens that wait
   * @param shares makes the rule of cutting for a model
   */
  RequestQueue(BatchLimits limits, int limit, Supplier<Shares> shares) {
    this.limits = limits;
    this.limit = limit;
    this.shares = shares;
    this.room = new Semaphore(limit, true);
  }

  /**
   * Adds a request; blocks while there is no room for it.
   *
   * @throws IllegalStateException if the queue is closed
   * @throws InterruptedException if interrupted while blocked; the request was not added
   */
  void put(Request request) throws InterruptedException {
    int permits = Math.min(limit, request.waitingTokens());
    room.acquire(permits);
    lock.lock();
    try {
      if (closed) {
        room.release(permits);
        throw new IllegalStateException("Cannot embed texts: the engine is closed");
      }
      request.admitted(permits);
      Lane lane =
          lanes.computeIfAbsent(request.model(), model -> new Lane(model, limits, shares.get()));
      if (lane.isEmpty()) {
        turns.addLast(lane);
      }
      lane.add(request);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The next batch; waits for one.
   *
   * @return null when the queue is closed and nothing waits
   */
  @Nullable Batch take() throws InterruptedException {
    lock.lock();
    try {
      while (turns.isEmpty()) {
        if (closed) {
          return null;
        }
        changed.await();
      }
      Lane lane = turns.removeFirst();
      Batch batch = lane.cut();
      if (!lane.isEmpty()) {
        turns.addLast(lane);
      } else {
        lanes.remove(batch.model());
      }
      batch.parts().forEach(part -> room.release(part.request().releasePermits(part.tokens())));
      return batch;
    } finally {
      lock.unlock();
    }
  }

  /** Whether nothing waits. */
  boolean isEmpty() {
    lock.lock();
    try {
      return turns.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Drops what of a request is in no batch yet; does nothing when all of it is. */
  void drop(Request request) {
    lock.lock();
    try {
      Lane lane = lanes.get(request.model());
      if (lane != null && lane.remove(request)) {
        release(request);
        if (lane.isEmpty()) {
          turns.remove(lane);
          lanes.remove(request.model());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more requests; what waits can still be taken. */
  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Takes out all requests that wait. */
  List<Request> clear() {
    lock.lock();
    try {
      List<Request> waiting = new ArrayList<>();
      turns.forEach(lane -> waiting.addAll(lane.removeAll()));
      turns.clear();
      lanes.clear();
      waiting.forEach(this::release);
      return waiting;
    } finally {
      lock.unlock();
    }
  }

  private void release(Request request) {
    room.release(request.releasePermits(request.waitingTokens()));
  }
}
