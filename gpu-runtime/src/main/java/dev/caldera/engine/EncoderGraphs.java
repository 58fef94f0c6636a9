package dev.caldera.engine;

import dev.caldera.graph.Op;
import dev.caldera.model.EncoderGraph;
import dev.caldera.model.ModelFolder;
import dev.caldera.model.bert.BertEncoder;

/** Reads a model's graph for an engine. */
interface EncoderGraphs {

  /**
   * The packed graph of a model.
   *
   * @throws IllegalArgumentException if its file is not valid or not supported; names file and
   *     place
   */
  EncoderGraph read(ModelFolder model, EncoderSettings settings);

  /** Of the formats that are supported: the ONNX export of a BERT. */
  static EncoderGraphs standard() {
    return (model, settings) ->
        BertEncoder.load(model.graph(), new Op.Pool(settings.pooling(), settings.normalize()));
  }
}
