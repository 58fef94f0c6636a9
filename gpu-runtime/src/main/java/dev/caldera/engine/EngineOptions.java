package dev.caldera.engine;

/**
 * How an engine works; 0 always means "what suits the device".
 *
 * @param batchTokens tokens of a batch, at most; a longer text runs alone
 * @param waitingTokens tokens that may wait for a batch before {@link Encoder#embed} blocks
 * @param weightBytes bytes of weights that may lie on the device, all models together
 */
public record EngineOptions(int batchTokens, int waitingTokens, long weightBytes) {

  /** Checks the values. */
  public EngineOptions {
    if (batchTokens < 0 || waitingTokens < 0 || weightBytes < 0) {
      throw new IllegalArgumentException(
          "Cannot use engine options batchTokens "
              + batchTokens
              + ", waitingTokens "
              + waitingTokens
              + ", weightBytes "
              + weightBytes
              + ": none may be negative; 0 means what suits the device");
    }
  }

  /** What suits the device. */
  public static EngineOptions defaults() {
    return new EngineOptions(0, 0, 0);
  }
}
