package dev.caldera.model.bert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.caldera.graph.Activation;
import dev.caldera.graph.HostEvaluator;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.graph.Op.Pooling;
import dev.caldera.model.EncoderGraph;
import dev.caldera.testing.BgeSmall;
import dev.caldera.testing.MiniLm;
import dev.caldera.testing.OnnxRuntimeOracle;
import dev.caldera.text.TokenBatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BertEncoderTest {

  private static final Op.Pool MEAN = new Op.Pool(Pooling.MEAN, true);
  private static final Op.Pool CLS = new Op.Pool(Pooling.CLS, true);

  /** Ops of a packed BERT of 12 heads of 32 columns. */
  private static List<Op> expected(int layers, Op.Pool pool) {
    List<Op> ops = new ArrayList<>();
    ops.add(new Op.EmbeddingNorm(1e-12f));
    for (int i = 0; i < layers; i++) {
      ops.add(new Op.Linear(Activation.NONE));
      ops.add(new Op.PackedAttention(12, 32, (float) (1 / 5.656854f)));
      ops.add(new Op.Linear(Activation.NONE));
      ops.add(new Op.AddLayerNorm(1e-12f));
      ops.add(new Op.Linear(Activation.GELU_ERF));
      ops.add(new Op.Linear(Activation.NONE));
      ops.add(new Op.AddLayerNorm(1e-12f));
    }
    ops.add(pool);
    return ops;
  }

  private static EncoderGraph check(Path onnx, int layers, Op.Pool pool) {
    EncoderGraph encoder = BertEncoder.load(onnx, pool);
    assertThat(encoder.graph().nodes())
        .extracting(Node::op)
        .containsExactlyElementsOf(expected(layers, pool));
    assertThat(encoder.graph().inputs())
        .extracting(Object::toString)
        .containsExactly(
            "tokenIds: i32[tokens]",
            "positions: i32[tokens]",
            "typeIds: i32[tokens]",
            "starts: i32[(sequences + 1)]");
    assertThat(encoder.graph().outputs())
        .extracting(Object::toString)
        .containsExactly("embeddings: f32[sequences, 384]");
    assertThat(encoder.width()).isEqualTo(384);
    assertThat(encoder.maxTokens()).isEqualTo(512);
    assertThat(encoder.positionOffset()).isZero();
    return encoder;
  }

  @Test
  void miniLmBecomesEmbeddingSevenOpsALayerAndPool() {
    check(MiniLm.onnx(), 6, MEAN);
  }

  @Test
  void packedMiniLmIsAsOnnxRuntimeComputesIt() {
    int[] ids = {101, 1037, 2204, 2338, 102, 101, 7592, 102};
    int[] starts = {0, 5, 8};
    HostTensor vectors = embed(BertEncoder.load(MiniLm.onnx(), MEAN), ids, starts);
    try (OnnxRuntimeOracle oracle = OnnxRuntimeOracle.open(MiniLm.onnx(), 1)) {
      float[][] expected = oracle.embed(new TokenBatch(ids, starts, 0));
      for (int i = 0; i < expected.length; i++) {
        float[] actual = Arrays.copyOfRange(vectors.toFloats(), 384 * i, 384 * (i + 1));
        assertThat(OnnxRuntimeOracle.cosine(actual, expected[i])).isGreaterThan(0.999999);
      }
    }
  }

  @Test
  void bgeSmallBecomesTheSameWithTwelveLayers() {
    check(BgeSmall.onnx(), 12, CLS);
  }

  @Test
  void quantizedBgeSmallIsNearTheOther() {
    EncoderGraph encoder = check(BgeSmall.quantizedOnnx(), 12, CLS);
    int[] ids = {101, 2023, 2003, 1037, 2204, 2338, 102};
    HostTensor quantized = embed(encoder, ids, 0, ids.length);
    HostTensor full = embed(BertEncoder.load(BgeSmall.onnx(), CLS), ids, 0, ids.length);
    assertThat(quantized.nmse(full)).isLessThan(0.02);
  }

  private static HostTensor embed(EncoderGraph encoder, int[] ids, int... starts) {
    int[] positions = new int[ids.length];
    for (int s = 0; s + 1 < starts.length; s++) {
      for (int i = starts[s]; i < starts[s + 1]; i++) {
        positions[i] = i - starts[s] + encoder.positionOffset();
      }
    }
    return HostEvaluator.evaluateSingle(
        encoder.graph(),
        Map.of(
            EncoderGraph.TOKEN_IDS, HostTensor.ints(ids, ids.length),
            EncoderGraph.POSITIONS, HostTensor.ints(positions, ids.length),
            EncoderGraph.TYPE_IDS, HostTensor.ints(new int[ids.length], ids.length),
            EncoderGraph.STARTS, HostTensor.ints(starts, starts.length)));
  }
}
