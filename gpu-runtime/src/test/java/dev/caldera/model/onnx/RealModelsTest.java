package dev.caldera.model.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.graph.Graph;
import dev.caldera.testing.BgeSmall;
import dev.caldera.testing.MiniLm;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RealModelsTest {

  private static Graph load(Path file) {
    Graph graph = OnnxLoader.load(file);
    assertThat(graph.inputs())
        .extracting(Object::toString)
        .containsExactly(
            "input_ids: i64[batch_size, sequence_length]",
            "attention_mask: i64[batch_size, sequence_length]",
            "token_type_ids: i64[batch_size, sequence_length]");
    assertThat(graph.outputs())
        .extracting(Object::toString)
        .containsExactly("last_hidden_state: f32[batch_size, sequence_length, 384]");
    assertThat(graph.limits()).containsExactly(Map.entry("sequence_length", 512L));
    return graph;
  }

  private static Map<String, Long> count(Graph graph) {
    return graph.nodes().stream()
        .collect(Collectors.groupingBy(n -> n.op().label(), TreeMap::new, Collectors.counting()));
  }

  @Test
  void miniLmHasNoShapeArithmeticLeft() {
    assertThat(count(load(MiniLm.onnx())))
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("Binary", 88L + 25 + 26 + 13 + 14),
                Map.entry("Cast", 1L),
                Map.entry("Gather", 3L),
                Map.entry("MatMul", 48L),
                Map.entry("ReduceMean", 26L),
                Map.entry("Reshape", 26L),
                Map.entry("Slice", 1L),
                Map.entry("Softmax", 6L),
                Map.entry("Transpose", 24L),
                Map.entry("Unary", 6L + 13)));
  }

  @Test
  void bgeSmallHasTwiceTheLayers() {
    assertThat(count(load(BgeSmall.onnx())))
        .containsEntry("MatMul", 96L)
        .containsEntry("Softmax", 12L)
        .doesNotContainKeys("Where", "Concat");
  }

  @Test
  void quantizedBgeSmallKeepsItsQuantizedProducts() {
    assertThat(count(load(BgeSmall.quantizedOnnx())))
        .containsEntry("MatMulInteger", 72L)
        .containsEntry("DynamicQuantize", 48L)
        .containsEntry("Dequantize", 3L)
        .containsEntry("MatMul", 24L);
  }
}
