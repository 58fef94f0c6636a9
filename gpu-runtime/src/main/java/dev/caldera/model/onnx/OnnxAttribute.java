package dev.caldera.model.onnx;

import java.util.List;
import java.util.Optional;

/**
 * An AttributeProto; which member counts depends on the attribute.
 *
 * @param other whether it holds a kind of value that is not read (a graph, sparse tensors, types)
 */
record OnnxAttribute(
    String name,
    long integer,
    float decimal,
    String text,
    Optional<OnnxTensor> tensor,
    List<Long> integers,
    List<Float> decimals,
    boolean other) {

  OnnxAttribute {
    integers = List.copyOf(integers);
    decimals = List.copyOf(decimals);
  }
}
