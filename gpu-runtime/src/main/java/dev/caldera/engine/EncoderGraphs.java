package dev.caldera.engine;

import dev.caldera.model.EncoderGraph;
import dev.caldera.model.ModelFolder;

/** Reads a model's graph for an engine. */
interface EncoderGraphs {

  /**
   * The packed graph of a model.
   *
   * @throws IllegalArgumentException if its file is not valid or not supported; names file and
   *     place
   */
  EncoderGraph read(ModelFolder model, EncoderSettings settings);

  /** Of the formats that are supported: ONNX. */
  static EncoderGraphs standard() {
    return (model, settings) -> {
      throw new UnsupportedOperationException("Cannot read " + model.graph());
    };
  }
}
