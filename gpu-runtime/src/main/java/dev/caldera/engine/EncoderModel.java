package dev.caldera.engine;

import dev.caldera.backend.Device.Program;

/** What running a batch needs of a model. */
interface EncoderModel {

  /** Name for messages. */
  String name();

  /** Columns of a vector. */
  int width();

  /** Position of a text's first token. */
  int positionOffset();

  /** A program with room for a batch of {@code tokens} tokens and the texts that it may have. */
  Program program(int tokens);

  /**
   * Keeps the model loaded until {@link #release()}.
   *
   * @throws IllegalStateException if it is not loaded any more
   */
  void hold();

  /** Gives back one {@link #hold()}. */
  void release();
}
