package dev.caldera.backend.vulkan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.backend.Device;
import dev.caldera.backend.GraphRun;
import dev.caldera.graph.DType;
import dev.caldera.graph.Graph;
import dev.caldera.graph.HostEvaluator;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.Value;
import dev.caldera.model.bert.BertEncoder;
import dev.caldera.model.onnx.OnnxLoader;
import dev.caldera.testing.MiniLm;
import dev.caldera.testing.SharedVulkan;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The real model through every kernel it needs, before and after rewrites. */
@ExtendWith(SharedVulkan.class)
class MiniLmGraphTest {
  private static final int BATCH = 2;
  private static final int SEQUENCE = 7;

  @Test
  void theGraphAsExportedRuns(Device device) throws InterruptedException {
    Graph graph = OnnxLoader.load(MiniLm.onnx());
    Map<String, HostTensor> inputs = new HashMap<>();
    Map<String, Long> sizes = new HashMap<>();
    for (Value input : graph.inputs()) {
      inputs.put(input.name(), padded(input.name()));
      input.type().shape().dim(0).symbols().forEach(symbol -> sizes.put(symbol, (long) BATCH));
      input.type().shape().dim(1).symbols().forEach(symbol -> sizes.put(symbol, (long) SEQUENCE));
    }
    try (GraphRun run = GraphRun.open(device, graph, sizes)) {
      Map<String, HostTensor> actual = run.run(inputs, sizes);
      HostEvaluator.evaluate(graph, inputs)
          .forEach(
              (name, expected) ->
                  assertThat(actual)
                      .hasEntrySatisfying(
                          name, tensor -> assertThat(tensor.nmse(expected)).isLessThan(1e-10)));
    }
  }

  @Test
  void theRewrittenGraphRuns(Device device) throws InterruptedException {
    Graph graph = BertEncoder.load(MiniLm.onnx(), new Op.Pool(Op.Pooling.MEAN, true)).graph();
    int[] starts = {0, 5, 12};
    Map<String, HostTensor> inputs =
        Map.of(
            "tokenIds", ints(101, 2307, 2338, 2000, 102, 101, 7592, 1010, 2088, 999, 999, 102),
            "positions", ints(0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5, 6),
            "typeIds", ints(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
            "starts", ints(starts));
    Map<String, Long> sizes = Map.of("tokens", 12L, "sequences", 2L);
    try (GraphRun run = GraphRun.open(device, graph, Map.of("tokens", 64L, "sequences", 8L))) {
      HostTensor actual = run.run(inputs, sizes).values().iterator().next();
      assertThat(actual.nmse(HostEvaluator.evaluateSingle(graph, inputs))).isLessThan(1e-10);
    }
  }

  /** Two texts of seven and five tokens. */
  private static HostTensor padded(String name) {
    long[] values = new long[BATCH * SEQUENCE];
    for (int i = 0; i < values.length; i++) {
      boolean isToken = i < SEQUENCE + 5;
      values[i] = name.equals("input_ids") ? (isToken ? 2000 + 37 * i : 0) : isToken ? 1 : 0;
    }
    if (name.equals("token_type_ids")) {
      Arrays.fill(values, 0);
    }
    return HostTensor.integers(DType.I64, values, BATCH, SEQUENCE);
  }

  private static HostTensor ints(int... values) {
    return HostTensor.ints(values, values.length);
  }
}
