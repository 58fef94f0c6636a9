package dev.caldera.backend.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.graph.Activation;
import dev.caldera.graph.GraphBuilder;
import dev.caldera.graph.HostEvaluator;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.Value;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConvertLayoutKernelTest {

  /** x and the weight of a linear op are uploaded: both are converted, and the result back. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 32, 383, 384, 385, 900})
  void convertsInputsWeightsAndOutputs(int columns) {
    Random random = new Random(columns);
    HostTensor x = OpCheck.random(random, 5, columns);
    HostTensor weight = OpCheck.random(random, columns, columns);
    GraphBuilder builder = new GraphBuilder("convert");
    Value bias = builder.constant("bias", OpCheck.random(random, columns));
    Value y =
        builder.add(
            "linear",
            new Op.Linear(Activation.NONE),
            builder.input("x", x.type()),
            builder.input("weight", weight.type()),
            bias);
    builder.output(y);
    Map<String, HostTensor> inputs = Map.of("x", x, "weight", weight);
    HostTensor expected = HostEvaluator.evaluateSingle(builder.build(), inputs);
    for (Compute compute : GraphRunner.computes()) {
      try (GraphRunner runner = new GraphRunner(compute, builder.build(), Map.of())) {
        assertThat(runner.plan().steps())
            .extracting(step -> step.kernel())
            .containsExactly("convert layout", "convert layout", "linear", "convert layout");
        HostTensor actual = runner.run(inputs, Map.of()).values().iterator().next();
        assertThat(actual.nmse(expected)).isLessThan(1e-11);
      }
    }
  }
}
