package dev.caldera.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.backend.Device;
import dev.caldera.backend.GraphRun;
import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.GraphBuilder;
import dev.caldera.graph.HostEvaluator;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorType;
import java.util.Map;

/** Checks ops over packed sequences in a bucket that is larger than what runs. */
final class PackedSequences {
  private static final long SLACK = 37;

  private PackedSequences() {}

  /**
   * Runs {@code op} over sequences of the given lengths together and each alone, and asserts that
   * results are right and have the same bits.
   */
  static void check(Op op, HostTensor rows, Device device, int... lengths)
      throws InterruptedException {
    int width = rows.dim(1);
    int tokens = java.util.Arrays.stream(lengths).sum();
    Graph graph = graph(op, width);
    Map<String, Long> bucket = sizes(tokens + SLACK, lengths.length + 3);
    try (GraphRun run = GraphRun.open(device, graph, bucket)) {
      Map<String, HostTensor> inputs = inputs(KernelCheck.rows(rows, 0, tokens), lengths);
      HostTensor together = only(run.run(inputs, sizes(tokens, lengths.length)));
      HostTensor expected = HostEvaluator.evaluateSingle(graph, inputs);
      assertThat(together.nmse(expected)).isLessThan(1e-11);
      int start = 0;
      for (int i = 0; i < lengths.length; i++) {
        HostTensor own = KernelCheck.rows(rows, start, lengths[i]);
        HostTensor alone = only(run.run(inputs(own, lengths[i]), sizes(lengths[i], 1)));
        int from = alone.dim(0) == lengths[i] && together.dim(0) == tokens ? start : i;
        assertThat(alone.toFloats())
            .isEqualTo(KernelCheck.rows(together, from, alone.dim(0)).toFloats());
        start += lengths[i];
      }
    }
  }

  private static HostTensor only(Map<String, HostTensor> results) {
    return results.values().iterator().next();
  }

  private static Graph graph(Op op, int width) {
    GraphBuilder builder = new GraphBuilder("packed");
    Dim tokens = Dim.symbol("tokens");
    Dim starts = Dim.sum(Dim.symbol("sequences"), Dim.fixed(1));
    builder.output(
        builder.add(
            "y",
            op,
            builder.input("x", new TensorType(DType.F32, Shape.of(tokens, Dim.fixed(width)))),
            builder.input("starts", new TensorType(DType.I32, Shape.of(starts)))));
    return builder.build();
  }

  private static Map<String, Long> sizes(long tokens, long sequences) {
    return Map.of("tokens", tokens, "sequences", sequences);
  }

  private static Map<String, HostTensor> inputs(HostTensor x, int... lengths) {
    int[] starts = new int[lengths.length + 1];
    for (int i = 0; i < lengths.length; i++) {
      starts[i + 1] = starts[i] + lengths[i];
    }
    return Map.of("x", x, "starts", HostTensor.ints(starts, starts.length));
  }
}
