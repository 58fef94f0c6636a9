package dev.caldera.backend;

import dev.caldera.graph.DType;
import dev.caldera.graph.Graph;
import dev.caldera.graph.GraphBuilder;
import dev.caldera.graph.HostEvaluator;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks the kernels of an open device against the host: a driver may compile a shader without an
 * error and compute something else.
 *
 * <p>For each case of {@link SelfTestCases}: a graph of one node over small random operands runs on
 * the device and in {@link HostEvaluator}, which computes in double precision; their normalised
 * mean squared error must be at most {@value #MOST_ERROR}, and 0 for integers.
 */
public final class KernelSelfTest {
  /** The most normalised mean squared error of an f32 kernel. */
  public static final double MOST_ERROR = 1e-10;

  private KernelSelfTest() {}

  /**
   * What one kernel did.
   *
   * @param op the op's name, with its variant
   * @param error normalised mean squared error against the host
   * @param failure why it failed; empty when it passed
   */
  public record Result(String op, double error, String failure) {
    /** Whether it is right. */
    public boolean passed() {
      return failure.isEmpty();
    }
  }

  /** Runs all cases on {@code device}; a failing case does not keep the others from running. */
  public static List<Result> run(Device device) throws InterruptedException {
    List<Result> results = new ArrayList<>();
    for (SelfTestCases.Case one : SelfTestCases.all()) {
      results.add(run(device, one));
    }
    return results;
  }

  private static Result run(Device device, SelfTestCases.Case one) throws InterruptedException {
    GraphBuilder builder = new GraphBuilder("self-test");
    Map<String, HostTensor> inputs = new LinkedHashMap<>();
    Value[] operands = new Value[one.operands().size()];
    for (int i = 0; i < operands.length; i++) {
      HostTensor tensor = one.operands().get(i);
      if (one.weights().contains(i)) {
        operands[i] = builder.constant("weight" + i, tensor);
      } else {
        operands[i] = builder.input("input" + i, tensor.type());
        inputs.put("input" + i, tensor);
      }
    }
    builder.output(builder.add("node", one.op(), operands));
    Graph graph = builder.build();
    HostTensor expected = HostEvaluator.evaluateSingle(graph, inputs);
    try (GraphRun run = GraphRun.open(device, graph, Map.of())) {
      HostTensor actual = run.run(inputs, Map.of()).values().iterator().next();
      double error = actual.nmse(expected);
      double most = expected.dtype() == DType.F32 ? MOST_ERROR : 0;
      return new Result(
          one.label(), error, error <= most ? "" : "its error is " + error + ", over " + most);
    } catch (RuntimeException e) {
      return new Result(one.label(), Double.NaN, String.valueOf(e.getMessage()));
    }
  }
}
