package dev.caldera.model.onnx;

import java.util.List;
import java.util.Map;

/**
 * A NodeProto.
 *
 * @param name as in the file, or the name of its first output where the file gives none
 * @param domain empty for the standard ops
 * @param inputs names of values; an empty name is an operand that is left out
 */
record OnnxNode(
    String name,
    String opType,
    String domain,
    List<String> inputs,
    List<String> outputs,
    Map<String, OnnxAttribute> attributes) {

  OnnxNode {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    attributes = Map.copyOf(attributes);
  }
}
