package dev.caldera.model.onnx;

import dev.caldera.graph.DType;
import dev.caldera.graph.HostTensor;
import java.util.List;
import java.util.Optional;

/** Constant, from any of its attributes but strings and sparse tensors. */
final class ConstantImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    Optional<OnnxTensor> tensor = node.attribute("value").flatMap(OnnxAttribute::tensor);
    node.result(tensor.map(node::load).orElseGet(() -> node.constant(list(node))));
  }

  private static HostTensor list(NodeImport node) {
    Optional<OnnxAttribute> single = node.attribute("value_int");
    if (single.isPresent()) {
      return HostTensor.integers(DType.I64, new long[] {single.get().integer()});
    }
    Optional<OnnxAttribute> decimal = node.attribute("value_float");
    if (decimal.isPresent()) {
      return HostTensor.floats(new float[] {decimal.get().decimal()});
    }
    Optional<List<Long>> integers = node.integers("value_ints");
    if (integers.isPresent()) {
      long[] values = integers.get().stream().mapToLong(Long::longValue).toArray();
      return HostTensor.integers(DType.I64, values, values.length);
    }
    List<Float> decimals =
        node.attribute("value_floats")
            .map(OnnxAttribute::decimals)
            .orElseThrow(() -> node.error("none of its value attributes is supported"));
    float[] values = new float[decimals.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = decimals.get(i);
    }
    return HostTensor.floats(values, values.length);
  }
}
