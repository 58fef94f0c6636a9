package dev.caldera.testing;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.caldera.text.TokenBatch;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/**
 * ONNX Runtime on a sentence encoder: what embeddings are checked against. Each text runs alone, so
 * there is no padding; its vector is the mean over all its tokens, in double, scaled to length 1.
 */
public final class OnnxRuntimeOracle implements AutoCloseable {
  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  private final OrtSession session;

  private OnnxRuntimeOracle(Path onnx, int threads) throws OrtException {
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(threads);
      session = environment.createSession(onnx.toString(), options);
    }
  }

  /**
   * Opens the model.
   *
   * @param onnx with inputs input_ids, attention_mask, token_type_ids: i64 [batch, sequence], and
   *     the hidden states f32 [batch, sequence, H] as its first output
   * @param threads of ONNX Runtime
   */
  public static OnnxRuntimeOracle open(Path onnx, int threads) {
    try {
      return new OnnxRuntimeOracle(onnx, threads);
    } catch (OrtException e) {
      throw new IllegalArgumentException("Cannot open " + onnx + " in ONNX Runtime", e);
    }
  }

  /** The unit vectors of all texts, in order: [texts][H]. */
  public float[][] embed(TokenBatch tokens) {
    float[][] vectors = new float[tokens.texts()][];
    for (int text = 0; text < vectors.length; text++) {
      int[] ids =
          Arrays.copyOfRange(tokens.ids(), tokens.starts()[text], tokens.starts()[text + 1]);
      vectors[text] = embed(ids);
    }
    return vectors;
  }

  private float[] embed(int[] ids) {
    long[] shape = {1, ids.length};
    long[] ones = new long[ids.length];
    Arrays.fill(ones, 1);
    try (OnnxTensor tokens = tensor(Arrays.stream(ids).asLongStream().toArray(), shape);
        OnnxTensor mask = tensor(ones, shape);
        OnnxTensor types = tensor(new long[ids.length], shape);
        OrtSession.Result result =
            session.run(
                Map.of("input_ids", tokens, "attention_mask", mask, "token_type_ids", types))) {
      return unitMean(((OnnxTensor) result.get(0)).getFloatBuffer(), ids.length);
    } catch (OrtException e) {
      throw new IllegalStateException("Cannot run ONNX Runtime on " + ids.length + " tokens", e);
    }
  }

  private OnnxTensor tensor(long[] values, long[] shape) throws OrtException {
    return OnnxTensor.createTensor(environment, LongBuffer.wrap(values), shape);
  }

  private static float[] unitMean(FloatBuffer hidden, int tokens) {
    int width = hidden.remaining() / tokens;
    double[] mean = new double[width];
    for (int i = 0; i < tokens * width; i++) {
      mean[i % width] += hidden.get(i) / (double) tokens;
    }
    double length = Math.sqrt(Arrays.stream(mean).map(x -> x * x).sum());
    float[] vector = new float[width];
    for (int i = 0; i < width; i++) {
      vector[i] = (float) (mean[i] / length);
    }
    return vector;
  }

  /**
   * The cosine of the angle between two vectors of the same length, computed in double.
   *
   * @throws AssertionError if it is not a number: one is all zeros or holds what is not finite
   */
  public static double cosine(float[] a, float[] b) {
    double dot = 0;
    double aa = 0;
    double bb = 0;
    for (int i = 0; i < a.length; i++) {
      dot += (double) a[i] * b[i];
      aa += (double) a[i] * a[i];
      bb += (double) b[i] * b[i];
    }
    double cosine = dot / Math.sqrt(aa * bb);
    if (!Double.isFinite(cosine)) {
      throw new AssertionError("Cannot compare vectors: their cosine is " + cosine);
    }
    return cosine;
  }

  @Override
  public void close() {
    try {
      session.close();
    } catch (OrtException e) {
      throw new IllegalStateException("Cannot close ONNX Runtime's session", e);
    }
  }
}
