package dev.caldera.bench;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.caldera.text.TokenBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.Map;

/**
 * ONNX Runtime as its users run a sentence encoder: batches padded to their longest text, a mask,
 * mean pooling over real tokens, L2; all graph optimisations.
 */
final class OnnxRuntimeBatches implements AutoCloseable {
  private static final int MOST_TOKENS = 1 << 16;

  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  private final OrtSession session;
  private final LongBuffer ids = buffer();
  private final LongBuffer mask = buffer();
  private final LongBuffer types = buffer();

  OnnxRuntimeBatches(Path onnx, int threads) throws OrtException {
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.ALL_OPT);
      options.setIntraOpNumThreads(threads);
      options.setInterOpNumThreads(1);
      session = environment.createSession(onnx.toString(), options);
    }
  }

  private static LongBuffer buffer() {
    return ByteBuffer.allocateDirect(Long.BYTES * MOST_TOKENS)
        .order(ByteOrder.nativeOrder())
        .asLongBuffer();
  }

  /** The vectors of texts in the given order, {@code size} texts a batch; result by text. */
  float[][] embed(TokenBatch tokens, int[] order, int size) throws OrtException {
    float[][] vectors = new float[tokens.texts()][];
    for (int from = 0; from < order.length; from += size) {
      batch(tokens, order, from, Math.min(order.length, from + size), vectors);
    }
    return vectors;
  }

  private void batch(TokenBatch tokens, int[] order, int from, int to, float[][] vectors)
      throws OrtException {
    int longest = 0;
    for (int i = from; i < to; i++) {
      longest = Math.max(longest, length(tokens, order[i]));
    }
    ids.clear();
    mask.clear();
    types.clear();
    for (int i = from; i < to; i++) {
      int start = tokens.starts()[order[i]];
      int length = length(tokens, order[i]);
      for (int j = 0; j < longest; j++) {
        ids.put(j < length ? tokens.ids()[start + j] : 0);
        mask.put(j < length ? 1 : 0);
        types.put(0);
      }
    }
    long[] shape = {to - from, longest};
    try (OnnxTensor idTensor = OnnxTensor.createTensor(environment, ids.flip(), shape);
        OnnxTensor maskTensor = OnnxTensor.createTensor(environment, mask.flip(), shape);
        OnnxTensor typeTensor = OnnxTensor.createTensor(environment, types.flip(), shape);
        OrtSession.Result result =
            session.run(
                Map.of(
                    "input_ids", idTensor,
                    "attention_mask", maskTensor,
                    "token_type_ids", typeTensor))) {
      FloatBuffer hidden = ((OnnxTensor) result.get(0)).getFloatBuffer();
      int width = hidden.remaining() / ((to - from) * longest);
      for (int i = from; i < to; i++) {
        hidden.position((i - from) * longest * width);
        vectors[order[i]] = pool(hidden, length(tokens, order[i]), width);
      }
    }
  }

  private static float[] pool(FloatBuffer hidden, int length, int width) {
    float[] vector = new float[width];
    float[] row = new float[width];
    for (int token = 0; token < length; token++) {
      hidden.get(row);
      for (int i = 0; i < width; i++) {
        vector[i] += row[i];
      }
    }
    double squares = 0;
    for (float value : vector) {
      squares += (double) value * value;
    }
    float factor = (float) (1 / Math.sqrt(squares));
    for (int i = 0; i < width; i++) {
      vector[i] *= factor;
    }
    return vector;
  }

  static int length(TokenBatch tokens, int text) {
    return tokens.starts()[text + 1] - tokens.starts()[text];
  }

  @Override
  public void close() throws OrtException {
    session.close();
  }
}
