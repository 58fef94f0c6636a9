package dev.caldera.graph;

import java.util.List;

/**
 * One application of an op.
 *
 * @param name unique within its graph; for a node read from a file, the name it has there
 * @param op what is computed, with its attributes
 * @param inputs operands, in the order the op's class comment gives
 * @param outputs results
 */
public record Node(String name, Op op, List<Value> inputs, List<Value> outputs) {

  public Node {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  /** Operand {@code index}. */
  public Value input(int index) {
    return inputs.get(index);
  }

  /** The single output. */
  public Value output() {
    return outputs.get(0);
  }
}
