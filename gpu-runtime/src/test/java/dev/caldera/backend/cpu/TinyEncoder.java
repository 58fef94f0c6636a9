package dev.caldera.backend.cpu;

import dev.caldera.graph.Activation;
import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.GraphBuilder;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorType;
import dev.caldera.graph.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * An encoder with random weights over packed sequences, of any sizes.
 *
 * @param graph inputs ids, positions, types, starts; output one vector a sequence
 * @param vocabulary the last row of the word table is all NaN
 */
record TinyEncoder(Graph graph, int hidden, int vocabulary, int longest) {

  static TinyEncoder of(int layers, int heads, int headSize, int inner) {
    return new Maker(heads, headSize, inner).make(layers);
  }

  /** Runs texts in chunks of at most {@code tokens} tokens; the result has a vector a text. */
  List<float[]> run(GraphRunner runner, List<int[]> texts, int tokens) {
    List<float[]> vectors = new ArrayList<>();
    for (int from = 0; from < texts.size(); ) {
      int to = from;
      int total = 0;
      while (to < texts.size() && (to == from || total + texts.get(to).length <= tokens)) {
        total += texts.get(to++).length;
      }
      List<int[]> chunk = texts.subList(from, to);
      HostTensor result = runner.run(inputs(chunk), sizes(chunk)).values().iterator().next();
      for (int i = 0; i < chunk.size(); i++) {
        vectors.add(java.util.Arrays.copyOfRange(result.toFloats(), i * hidden, (i + 1) * hidden));
      }
      from = to;
    }
    return vectors;
  }

  /** The graph's inputs for some texts. */
  static Map<String, HostTensor> inputs(List<int[]> texts) {
    int[] starts = new int[texts.size() + 1];
    for (int i = 0; i < texts.size(); i++) {
      starts[i + 1] = starts[i] + texts.get(i).length;
    }
    int tokens = starts[texts.size()];
    int[] ids = new int[tokens];
    int[] positions = new int[tokens];
    for (int i = 0; i < texts.size(); i++) {
      for (int j = 0; j < texts.get(i).length; j++) {
        ids[starts[i] + j] = texts.get(i)[j];
        positions[starts[i] + j] = j;
      }
    }
    Map<String, HostTensor> inputs = new LinkedHashMap<>();
    inputs.put("ids", HostTensor.ints(ids, tokens));
    inputs.put("positions", HostTensor.ints(positions, tokens));
    inputs.put("types", HostTensor.ints(new int[tokens], tokens));
    inputs.put("starts", HostTensor.ints(starts, starts.length));
    return inputs;
  }

  /** The actual sizes for some texts. */
  static Map<String, Long> sizes(List<int[]> texts) {
    long tokens = texts.stream().mapToLong(text -> text.length).sum();
    return Map.of("tokens", tokens, "sequences", (long) texts.size());
  }

  /** Texts of random ids, each of 1 to {@code longest} tokens. */
  List<int[]> texts(Random random, int count) {
    List<int[]> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(random.ints(1 + random.nextInt(longest), 0, vocabulary - 1).toArray());
    }
    return texts;
  }

  private static final class Maker {
    private static final int VOCABULARY = 50;
    private static final int LONGEST = 70;

    private final Random random = new Random(17);
    private final GraphBuilder graph = new GraphBuilder("tiny");
    private final int heads;
    private final int headSize;
    private final int hidden;
    private final int inner;

    Maker(int heads, int headSize, int inner) {
      this.heads = heads;
      this.headSize = headSize;
      this.hidden = heads * headSize;
      this.inner = inner;
    }

    TinyEncoder make(int layers) {
      Value ids = input("ids", Dim.symbol("tokens"));
      Value positions = input("positions", Dim.symbol("tokens"));
      Value types = input("types", Dim.symbol("tokens"));
      Value starts = input("starts", Dim.sum(Dim.symbol("sequences"), Dim.fixed(1)));
      Value x =
          graph.add(
              "embedding",
              new Op.EmbeddingNorm(1e-12f),
              ids,
              positions,
              types,
              graph.constant("words", words()),
              weight("position table", 1, LONGEST, hidden),
              weight("type table", 1, 2, hidden),
              weight("gamma", 1, hidden),
              weight("beta", 1, hidden));
      Op attention = new Op.PackedAttention(heads, headSize, (float) (1 / Math.sqrt(headSize)));
      for (int layer = 0; layer < layers; layer++) {
        String name = "layer " + layer;
        Value qkv = linear(name + " qkv", Activation.NONE, x, hidden, 3 * hidden);
        Value attended = graph.add(name + " attention", attention, qkv, starts);
        Value out = linear(name + " out", Activation.NONE, attended, hidden, hidden);
        x = norm(name + " attention norm", out, x);
        Value inside = linear(name + " inner", Activation.GELU_ERF, x, hidden, inner);
        x =
            norm(
                name + " norm", linear(name + " outer", Activation.NONE, inside, inner, hidden), x);
      }
      graph.output(graph.add("pool", new Op.Pool(Op.Pooling.MEAN, true), x, starts));
      return new TinyEncoder(graph.build(), hidden, VOCABULARY, LONGEST);
    }

    private HostTensor words() {
      float[] values = OpCheck.random(random, VOCABULARY, hidden).toFloats();
      java.util.Arrays.fill(values, (VOCABULARY - 1) * hidden, values.length, Float.NaN);
      return HostTensor.floats(values, VOCABULARY, hidden);
    }

    private Value input(String name, Dim size) {
      return graph.input(name, new TensorType(DType.I32, Shape.of(size)));
    }

    private Value linear(String name, Activation activation, Value x, int depth, int columns) {
      Value weight = weight(name + " weight", (float) (1 / Math.sqrt(depth)), depth, columns);
      return graph.add(
          name, new Op.Linear(activation), x, weight, weight(name + " bias", 0.1f, columns));
    }

    private Value norm(String name, Value x, Value residual) {
      return graph.add(
          name,
          new Op.AddLayerNorm(1e-12f),
          x,
          residual,
          weight(name + " gamma", 1, hidden),
          weight(name + " beta", 1, hidden));
    }

    private Value weight(String name, float scale, long... dims) {
      float[] values = OpCheck.random(random, dims).toFloats();
      for (int i = 0; i < values.length; i++) {
        values[i] *= scale;
      }
      return graph.constant(name, HostTensor.floats(values, dims));
    }
  }
}
