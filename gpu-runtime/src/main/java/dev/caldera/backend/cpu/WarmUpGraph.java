package dev.caldera.backend.cpu;

import dev.caldera.graph.Activation;
import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.GraphBuilder;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorData;
import dev.caldera.graph.TensorType;
import dev.caldera.graph.Value;
import java.nio.ByteBuffer;

/** A small encoder of one layer, of the ops that encoders are made of. */
final class WarmUpGraph {
  private static final int HIDDEN = 384;
  private static final int HEADS = 12;
  private static final int INNER = 1536;
  private static final float EPSILON = 1e-12f;

  private final GraphBuilder graph = new GraphBuilder("warm-up");

  private WarmUpGraph() {}

  static Graph build() {
    return new WarmUpGraph().encoder();
  }

  private Graph encoder() {
    Dim tokens = Dim.symbol("tokens");
    Value ids = graph.input("ids", ints(tokens));
    Value positions = graph.input("positions", ints(tokens));
    Value types = graph.input("types", ints(tokens));
    Value starts = graph.input("starts", ints(Dim.sum(Dim.symbol("sequences"), Dim.fixed(1))));
    Value x =
        graph.add(
            "embedding",
            new Op.EmbeddingNorm(EPSILON),
            ids,
            positions,
            types,
            weight("words", 1, HIDDEN),
            weight("position table", 1, HIDDEN),
            weight("type table", 1, HIDDEN),
            weight("embedding gamma", HIDDEN),
            weight("embedding beta", HIDDEN));
    Value qkv = linear("qkv", Activation.NONE, x, HIDDEN, 3 * HIDDEN);
    Op attention = new Op.PackedAttention(HEADS, HIDDEN / HEADS, 1f);
    Value attended = graph.add("attention", attention, qkv, starts);
    x = norm("attention norm", linear("out", Activation.NONE, attended, HIDDEN, HIDDEN), x);
    Value inner = linear("inner", Activation.GELU_ERF, x, HIDDEN, INNER);
    x = norm("inner norm", linear("outer", Activation.NONE, inner, INNER, HIDDEN), x);
    graph.output(graph.add("pool", new Op.Pool(Op.Pooling.MEAN, true), x, starts));
    return graph.build();
  }

  private static TensorType ints(Dim size) {
    return new TensorType(DType.I32, Shape.of(size));
  }

  private Value linear(String name, Activation activation, Value x, int depth, int columns) {
    Value weight = weight(name + " weight", depth, columns);
    return graph.add(name, new Op.Linear(activation), x, weight, weight(name + " bias", columns));
  }

  private Value norm(String name, Value x, Value residual) {
    Value gamma = weight(name + " gamma", HIDDEN);
    return graph.add(
        name, new Op.AddLayerNorm(EPSILON), x, residual, gamma, weight(name + " beta", HIDDEN));
  }

  private Value weight(String name, long... sizes) {
    TensorType type = new TensorType(DType.F32, Shape.fixed(sizes));
    return graph.constant(name, type, new Zeros(type.bytes(java.util.Map.of())));
  }

  /** Zeros that take no memory. */
  private record Zeros(long byteSize) implements TensorData {
    @Override
    public void read(long offset, ByteBuffer target) {
      java.util.Objects.checkFromIndexSize(offset, target.remaining(), byteSize);
      while (target.hasRemaining()) {
        target.put((byte) 0);
      }
    }
  }
}
