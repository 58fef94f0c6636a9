package dev.caldera.backend.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.caldera.graph.HostEvaluator;
import dev.caldera.graph.HostTensor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole encoders: right against the host evaluator, and a row's bits its own. */
class EncoderOnCpuTest {
  private static final Map<String, Long> BUCKET = Map.of("tokens", 2048L, "sequences", 128L);

  @ParameterizedTest
  @CsvSource({"2, 12, 32, 1536", "2, 3, 20, 101", "1, 5, 7, 35", "1, 12, 64, 3072"})
  void embedsAsTheHostEvaluatorDoes(int layers, int heads, int headSize, int inner) {
    TinyEncoder encoder = TinyEncoder.of(layers, heads, headSize, inner);
    List<int[]> texts = encoder.texts(new Random(1), 3);
    HostTensor expected = HostEvaluator.evaluateSingle(encoder.graph(), TinyEncoder.inputs(texts));
    for (Compute compute : GraphRunner.computes()) {
      try (GraphRunner runner = new GraphRunner(compute, encoder.graph(), BUCKET)) {
        HostTensor actual =
            runner
                .poison()
                .run(TinyEncoder.inputs(texts), TinyEncoder.sizes(texts))
                .values()
                .iterator()
                .next();
        assertThat(actual.nmse(expected)).as(compute.name()).isLessThan(1e-9);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"12, 32, 768", "3, 20, 101"})
  void givesARowTheSameBitsWhateverStandsBesideIt(int heads, int headSize, int inner) {
    TinyEncoder encoder = TinyEncoder.of(1, heads, headSize, inner);
    Random random = new Random(2);
    List<int[]> texts = encoder.texts(random, 60);
    List<float[]> reference = null;
    for (Compute compute : GraphRunner.computes()) {
      try (GraphRunner runner = new GraphRunner(compute, encoder.graph(), BUCKET)) {
        for (int tokens : new int[] {1, 100, 517, 2048}) {
          List<Integer> order = new ArrayList<>();
          for (int i = 0; i < texts.size(); i++) {
            order.add(i);
          }
          Collections.shuffle(order, random);
          List<float[]> shuffled =
              encoder.run(runner, order.stream().map(texts::get).toList(), tokens);
          List<float[]> vectors = new ArrayList<>(Collections.nCopies(texts.size(), new float[0]));
          for (int i = 0; i < order.size(); i++) {
            vectors.set(order.get(i), shuffled.get(i));
          }
          reference = reference == null ? vectors : reference;
          for (int i = 0; i < texts.size(); i++) {
            assertThat(vectors.get(i))
                .as("text %d, chunks of %d, %s", i, tokens, compute.name())
                .containsExactly(reference.get(i));
          }
        }
      }
    }
  }

  @Test
  void keepsNonFiniteRowsToThemselves() {
    TinyEncoder encoder = TinyEncoder.of(2, 3, 32, 100);
    int[] bad = {encoder.vocabulary() - 1};
    List<int[]> good = encoder.texts(new Random(3), 9);
    List<int[]> mixed = new ArrayList<>();
    for (int[] text : good) {
      mixed.add(bad);
      mixed.add(text);
    }
    mixed.add(bad);
    for (Compute compute : GraphRunner.computes()) {
      try (GraphRunner runner = new GraphRunner(compute, encoder.graph(), BUCKET)) {
        List<float[]> alone = encoder.run(runner, good, 2048);
        List<float[]> beside = encoder.run(runner.poison(), mixed, 2048);
        for (int i = 0; i < good.size(); i++) {
          assertThat(beside.get(2 * i)).containsOnly(Float.NaN);
          assertThat(beside.get(2 * i + 1)).containsExactly(alone.get(i));
        }
      }
    }
  }

  @Test
  void refusesSizesOverTheBucket() {
    TinyEncoder encoder = TinyEncoder.of(1, 1, 4, 8);
    try (GraphRunner runner =
        new GraphRunner(
            Compute.plain("for a test"), encoder.graph(), Map.of("tokens", 4L, "sequences", 2L))) {
      assertThatThrownBy(() -> runner.run(Map.of(), Map.of("tokens", 5L, "sequences", 1L)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("Cannot run plan tiny for tokens = 5: its bucket allows 0 to 4");
      assertThatThrownBy(() -> runner.run(Map.of(), Map.of("tokens", 1L)))
          .hasMessage("Cannot run plan tiny for sequences = null: its bucket allows 0 to 2");
    }
  }
}
