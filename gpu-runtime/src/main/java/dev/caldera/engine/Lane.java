package dev.caldera.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The waiting requests of one model. Not thread-safe: the queue's lock guards it.
 *
 * <p>The oldest request is served first. One that has had {@link #TURN_TOKENS} tokens goes behind
 * the others, so that a large request does not keep small ones waiting.
 */
final class Lane {
  /** Tokens that a request is served before others have their turn. */
  static final int TURN_TOKENS = 8192;

  private final EncoderModel model;
  private final BatchLimits limits;
  private final Shares shares;
  private final Deque<Request> requests = new ArrayDeque<>();
  private long waitingTokens;

  /**
   * An empty lane.
   *
   * @param limits the most that a batch carries
   */
  Lane(EncoderModel model, BatchLimits limits, Shares shares) {
    this.model = model;
    this.limits = limits;
    this.shares = shares;
  }

  void add(Request request) {
    requests.addLast(request);
    waitingTokens += request.waitingTokens();
  }

  boolean isEmpty() {
    return requests.isEmpty();
  }

  /** Takes out a request; answers whether it was waiting here. */
  boolean remove(Request request) {
    boolean removed = requests.remove(request);
    if (removed) {
      waitingTokens -= request.waitingTokens();
    }
    return removed;
  }

  /** Takes out all requests. */
  List<Request> removeAll() {
    List<Request> removed = List.copyOf(requests);
    requests.clear();
    waitingTokens = 0;
    return removed;
  }

  /** Cuts the next batch; the lane must not be empty. */
  Batch cut() {
    int target = shares.next(waitingTokens);
    List<Part> parts = new ArrayList<>();
    int tokens = 0;
    int texts = 0;
    while (!requests.isEmpty()) {
      Request request = requests.getFirst();
      int from = request.next();
      while (request.hasNext()
          && texts < limits.texts()
          && fits(request.length(request.next()), tokens, target)) {
        tokens += request.length(request.next());
        request.advance();
        texts++;
      }
      if (request.next() > from) {
        parts.add(new Part(request, from, request.next()));
      }
      if (!request.hasNext()) {
        requests.removeFirst();
        continue;
      }
      if (request.turnTokens() >= TURN_TOKENS) {
        request.endTurn();
        requests.addLast(requests.removeFirst());
      }
      break;
    }
    waitingTokens -= tokens;
    return new Batch(model, parts);
  }

  /** Whether a text belongs in a batch that holds {@code tokens}: nearest to the target with it. */
  private boolean fits(int length, int tokens, int target) {
    return tokens == 0
        || (tokens + length <= limits.tokens() && tokens + length - target <= target - tokens);
  }
}
