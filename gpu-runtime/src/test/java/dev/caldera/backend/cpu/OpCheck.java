package dev.caldera.backend.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.graph.Graph;
import dev.caldera.graph.GraphBuilder;
import dev.caldera.graph.HostEvaluator;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Checks a kernel against the host evaluator: a graph of one node is planned and run with every
 * kind of compute, over an arena full of NaN.
 */
final class OpCheck {
  private final Op op;
  private final GraphBuilder builder = new GraphBuilder("check");
  private final List<Value> operands = new ArrayList<>();
  private final Map<String, HostTensor> inputs = new LinkedHashMap<>();

  private OpCheck(Op op) {
    this.op = op;
  }

  static OpCheck of(Op op) {
    return new OpCheck(op);
  }

  /** Adds an operand that is uploaded. */
  OpCheck input(HostTensor tensor) {
    String name = "input" + operands.size();
    operands.add(builder.input(name, tensor.type()));
    inputs.put(name, tensor);
    return this;
  }

  /** Adds an operand that is a constant. */
  OpCheck weight(HostTensor tensor) {
    operands.add(builder.constant("weight" + operands.size(), tensor));
    return this;
  }

  /** Runs plain loops, without a check; for inputs that a kernel must refuse. */
  void run() {
    try (GraphRunner runner = new GraphRunner(Compute.plain("for a test"), graph(), Map.of())) {
      runner.run(inputs, Map.of());
    }
  }

  private Graph graph() {
    builder.output(builder.add("node", op, operands.toArray(new Value[0])));
    return builder.build();
  }

  /** Runs and asserts that the normalised mean squared error is at most {@code nmse}. */
  void within(double nmse) {
    Graph graph = graph();
    HostTensor expected = HostEvaluator.evaluateSingle(graph, inputs);
    for (Compute compute : GraphRunner.computes()) {
      try (GraphRunner runner = new GraphRunner(compute, graph, Map.of())) {
        HostTensor actual = runner.poison().run(inputs, Map.of()).values().iterator().next();
        assertThat(actual.type()).isEqualTo(expected.type());
        assertThat(actual.nmse(expected))
            .as("%s of %s by %s", op, inputs.values(), compute.name())
            .isLessThanOrEqualTo(nmse);
      }
    }
  }

  /** A tensor of normally distributed numbers. */
  static HostTensor random(Random random, long... dims) {
    int size = 1;
    for (long dim : dims) {
      size *= (int) dim;
    }
    float[] values = new float[size];
    for (int i = 0; i < size; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return HostTensor.floats(values, dims);
  }

  /** A number from {@code from} to {@code to}, both included. */
  static int between(Random random, int from, int to) {
    return from + random.nextInt(to - from + 1);
  }
}
