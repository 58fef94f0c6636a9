package dev.caldera.engine;

import dev.caldera.graph.DType;
import dev.caldera.graph.Dim;
import dev.caldera.graph.Graph;
import dev.caldera.graph.GraphBuilder;
import dev.caldera.graph.HostEvaluator;
import dev.caldera.graph.HostTensor;
import dev.caldera.graph.Op;
import dev.caldera.graph.Shape;
import dev.caldera.graph.TensorType;
import dev.caldera.graph.Value;
import dev.caldera.model.EncoderGraph;
import dev.caldera.model.ModelFolder;
import dev.caldera.text.TokenBatch;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** An encoder of one embedding and one pooling, with the vocabulary of MiniLM's tokenizer. */
final class TinyEncoder implements EncoderGraphs {
  static final int WIDTH = 32;
  static final int POSITIONS = 300;
  static final int WORDS = 30_522;

  /** How often the graph was read. */
  final AtomicInteger reads = new AtomicInteger();

  /** Reads to fail before one succeeds. */
  final AtomicInteger failures = new AtomicInteger();

  /** Reads wait until it is open. */
  volatile CountDownLatch gate = new CountDownLatch(0);

  @Override
  public EncoderGraph read(ModelFolder model, EncoderSettings settings) {
    reads.incrementAndGet();
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("Cannot read: interrupted", e);
    }
    if (failures.getAndDecrement() > 0) {
      throw new IllegalArgumentException("Cannot read " + model.graph() + ": it is damaged");
    }
    return new EncoderGraph(graph(settings), WIDTH, POSITIONS, 0);
  }

  /** The vector of one text, computed by the host's plain evaluator. */
  static float[] expected(EncoderSettings settings, TokenBatch tokens, int text) {
    int[] ids = Arrays.copyOfRange(tokens.ids(), tokens.starts()[text], tokens.starts()[text + 1]);
    HostTensor vector =
        HostEvaluator.evaluateSingle(
            graph(settings),
            Map.of(
                EncoderGraph.TOKEN_IDS, HostTensor.ints(ids, ids.length),
                EncoderGraph.POSITIONS,
                    HostTensor.ints(IntStream.range(0, ids.length).toArray(), ids.length),
                EncoderGraph.TYPE_IDS, HostTensor.ints(new int[ids.length], ids.length),
                EncoderGraph.STARTS, HostTensor.ints(new int[] {0, ids.length}, 2)));
    return vector.toFloats();
  }

  private static Graph graph(EncoderSettings settings) {
    Random random = new Random(11);
    GraphBuilder graph = new GraphBuilder("tiny");
    Shape tokens = Shape.of(Dim.symbol(EncoderGraph.TOKENS));
    Shape starts = Shape.of(Dim.sum(Dim.symbol(EncoderGraph.SEQUENCES), Dim.fixed(1)));
    Value ids = graph.input(EncoderGraph.TOKEN_IDS, new TensorType(DType.I32, tokens));
    Value positions = graph.input(EncoderGraph.POSITIONS, new TensorType(DType.I32, tokens));
    Value types = graph.input(EncoderGraph.TYPE_IDS, new TensorType(DType.I32, tokens));
    Value begins = graph.input(EncoderGraph.STARTS, new TensorType(DType.I32, starts));
    Value hidden =
        graph.add(
            "embed",
            new Op.EmbeddingNorm(1e-5f),
            ids,
            positions,
            types,
            table(graph, "words", random, WORDS),
            table(graph, "positionTable", random, POSITIONS),
            table(graph, "typeTable", random, 2),
            vector(graph, "gamma", random),
            vector(graph, "beta", random));
    graph.output(
        graph.add(
            EncoderGraph.EMBEDDINGS,
            new Op.Pool(settings.pooling(), settings.normalize()),
            hidden,
            begins));
    return graph.build();
  }

  private static Value table(GraphBuilder graph, String name, Random random, int rows) {
    return graph.constant(name, HostTensor.floats(values(random, rows * WIDTH), rows, WIDTH));
  }

  private static Value vector(GraphBuilder graph, String name, Random random) {
    return graph.constant(name, HostTensor.floats(values(random, WIDTH), WIDTH));
  }

  private static float[] values(Random random, int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = random.nextFloat() - 0.5f;
    }
    return values;
  }
}
