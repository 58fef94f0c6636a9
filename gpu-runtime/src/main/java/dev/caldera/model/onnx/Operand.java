package dev.caldera.model.onnx;

import dev.caldera.graph.TensorData;
import dev.caldera.graph.TensorType;
import dev.caldera.graph.Value;

/** What a name of the file stands for while its graph is imported. */
sealed interface Operand {

  /** Element type and shape. */
  TensorType type();

  /** A value computed at run time. */
  record Runtime(Value value) implements Operand {
    @Override
    public TensorType type() {
      return value.type();
    }
  }

  /** A constant; it enters the graph when a node reads it at run time. */
  record Constant(String name, TensorType type, TensorData data) implements Operand {}

  /** Integers that are known when the model is loaded, as dims. */
  record Known(String name, SymbolicTensor tensor) implements Operand {
    @Override
    public TensorType type() {
      return tensor.type();
    }
  }
}
