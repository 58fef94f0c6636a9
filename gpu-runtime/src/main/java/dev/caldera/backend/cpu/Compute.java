package dev.caldera.backend.cpu;

/**
 * How this JVM computes: vector or plain, chosen once by {@link ComputeChoice}.
 *
 * @param name for descriptions: "Vector API, 16 lanes" or "plain loops"
 * @param reason why it was chosen; for plain loops, what a user can do about it
 */
record Compute(String name, String reason, Tiles tiles, Lanes lanes) {

  /** Loops without the Vector API. */
  static Compute plain(String reason) {
    return new Compute("plain loops", reason, new PlainTiles(), new PlainLanes());
  }
}
