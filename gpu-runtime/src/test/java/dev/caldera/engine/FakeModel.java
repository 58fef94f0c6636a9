package dev.caldera.engine;

import dev.caldera.backend.Device.Program;
import java.util.Map;

/** A model without a program, for tests of the queue. */
record FakeModel(String name, int width) implements EncoderModel {
  @Override
  public Program program(Map<String, Long> sizes) {
    throw new UnsupportedOperationException();
  }

  /** A request for texts of the given lengths; the ids of text i are all i. */
  Request request(int... lengths) {
    return new Request(this, FakeTokens.ofLengths(lengths));
  }
}
