package dev.caldera.model.onnx;

import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import java.util.Optional;

/** ConstantOfShape: one value in a shape known when loading. */
final class ConstantOfShapeImporter implements OpImporter {

  @Override
  public void run(NodeImport node) {
    Optional<OnnxTensor> tensor = node.attribute("value").flatMap(OnnxAttribute::tensor);
    Operand value =
        tensor.map(node::load).orElseGet(() -> node.constant(HostTensor.floats(new float[] {0})));
    Operand scalar = node.reshape(value, Shape.of());
    node.result(node.apply(new Op.Expand(new Shape(node.known(0))), scalar));
  }
}
