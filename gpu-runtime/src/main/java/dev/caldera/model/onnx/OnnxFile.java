package dev.caldera.model.onnx;

import java.util.List;
import java.util.Map;

/**
 * A ModelProto with its main graph.
 *
 * @param opsets version by domain; the standard domain is the empty name
 */
record OnnxFile(
    Map<String, Long> opsets,
    String graphName,
    List<OnnxNode> nodes,
    List<OnnxTensor> initializers,
    List<OnnxValueInfo> inputs,
    List<OnnxValueInfo> outputs) {

  OnnxFile {
    opsets = Map.copyOf(opsets);
    nodes = List.copyOf(nodes);
    initializers = List.copyOf(initializers);
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }
}
