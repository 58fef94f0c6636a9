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
  private final int budget;
  private final Shares shares;
  private final Deque<Request> requests = new ArrayDeque<>();
  private long waitingTokens;

  /**
   * An empty lane.
   *
   * @param budget the most tokens of a batch, unless a single text has more
   */
  Lane(EncoderModel model, int budget, Shares shares) {
    this.model = model;
    this.budget = budget;
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
    while (!requests.isEmpty()) {
      Request request = requests.getFirst();
      int from = request.next();
      while (request.hasNext() && fits(request.length(request.next()), tokens, target)) {
        tokens += request.length(request.next());
        request.advance();
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
        || (tokens + length <= budget && tokens + length - target <= target - tokens);
  }
}
