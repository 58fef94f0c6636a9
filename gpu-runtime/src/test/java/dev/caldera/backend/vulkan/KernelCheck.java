package dev.caldera.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.backend.Device;
import dev.caldera.backend.GraphRun;
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

/** Checks a kernel against the host evaluator by a graph of one node. */
final class KernelCheck {
  private final Op op;
  private final GraphBuilder builder = new GraphBuilder("check");
  private final List<Value> operands = new ArrayList<>();
  private final Map<String, HostTensor> inputs = new LinkedHashMap<>();

  private KernelCheck(Op op) {
    this.op = op;
  }

  static KernelCheck of(Op op) {
    return new KernelCheck(op);
  }

  /** Adds an operand that is uploaded. */
  KernelCheck input(HostTensor tensor) {
    String name = "input" + operands.size();
    operands.add(builder.input(name, tensor.type()));
    inputs.put(name, tensor);
    return this;
  }

  /** Adds an operand that is a constant. */
  KernelCheck weight(HostTensor tensor) {
    operands.add(builder.constant("weight" + operands.size(), tensor));
    return this;
  }

  /** The result on {@code device}. */
  HostTensor run(Device device) throws InterruptedException {
    return run(device, graph());
  }

  /** Runs and asserts that the normalised mean squared error is at most {@code nmse}. */
  void within(double nmse, Device device) throws InterruptedException {
    Graph graph = graph();
    HostTensor expected = HostEvaluator.evaluateSingle(graph, inputs);
    HostTensor actual = run(device, graph);
    assertThat(actual.type()).isEqualTo(expected.type());
    assertThat(actual.nmse(expected)).as("%s of %s", op, inputs).isLessThanOrEqualTo(nmse);
  }

  /** Runs and asserts that every element is as expected. */
  void exact(Device device) throws InterruptedException {
    within(0, device);
  }

  private Graph graph() {
    builder.output(builder.add("node", op, operands.toArray(new Value[0])));
    return builder.build();
  }

  private HostTensor run(Device device, Graph graph) throws InterruptedException {
    try (GraphRun run = GraphRun.open(device, graph, Map.of())) {
      return run.run(inputs, Map.of()).values().iterator().next();
    }
  }

  /** Rows {@code [from, from + count)} of a float matrix. */
  static HostTensor rows(HostTensor matrix, int from, int count) {
    int columns = matrix.dim(-1);
    float[] part =
        java.util.Arrays.copyOfRange(matrix.toFloats(), from * columns, (from + count) * columns);
    return HostTensor.floats(part, count, columns);
  }
}
