package dev.caldera.engine;

import dev.caldera.backend.Device.Program;

/** A model without a program, for tests of the queue. */
record FakeModel(String name, int width) implements EncoderModel {
  @Override
  public int positionOffset() {
    return 0;
  }

  @Override
  public Program program(int tokens) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void hold() {}

  @Override
  public void release() {}

  /** A request for texts of the given lengths; the ids of text i are all i. */
  Request request(int... lengths) {
    return new Request(this, FakeTokens.ofLengths(lengths));
  }
}
