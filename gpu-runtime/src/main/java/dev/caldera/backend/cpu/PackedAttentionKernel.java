package dev.caldera.backend.cpu;

import dev.caldera.graph.Graph;
import dev.caldera.graph.Node;
import dev.caldera.graph.Op;
import dev.caldera.plan.KernelChoice;
import dev.caldera.plan.Layout;
import dev.caldera.plan.Step;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Attention of each token over the tokens of its own sequence.
 *
 * <p>Terms: a <em>panel</em> is some {@link Tiles#queries()} queries of one head, packed depth by
 * depth. Scores stand transposed, a row a key and a column a query: so the softmax runs down
 * columns, a vector of queries at a time, with no horizontal step and no mask; and the scores are
 * the packed left side of the product with the values.
 *
 * <p>Steps, for each sequence, head and panel: pack the scaled queries, multiply keys by them,
 * softmax, multiply by the values. Keys and values are used where they stand; a head that crosses a
 * block, or does not fill whole vectors, is gathered into scratch first.
 */
final class PackedAttentionKernel implements CpuKernel {
  private final Tiles tiles;
  private final Lanes lanes;

  PackedAttentionKernel(Compute compute) {
    this.tiles = compute.tiles();
    this.lanes = compute.lanes();
  }

  @Override
  public Class<? extends Op> op() {
    return Op.PackedAttention.class;
  }

  @Override
  public Optional<KernelChoice> choose(Graph graph, Node node) {
    Op.PackedAttention op = (Op.PackedAttention) node.op();
    if (op.headSize() > Blocks.WIDTH) {
      return Optional.empty();
    }
    return CpuKernel.choice(
        "packed attention",
        List.of(Blocks.LAYOUT, Layout.rowMajor()),
        List.of(Blocks.LAYOUT),
        bucket -> Zones.of(op, tiles, lanes, tokens(node, bucket), 0).end() * Float.BYTES);
  }

  private static int tokens(Node node, Map<String, Long> bucket) {
    return Math.toIntExact(node.input(0).type().shape().rows().evaluate(bucket));
  }

  @Override
  public StepRun prepare(Step step, StepPlaces places) {
    Op.PackedAttention op = (Op.PackedAttention) step.op();
    int capacity = places.input(0).capacity();
    Zones zones = Zones.of(op, tiles, lanes, capacity, places.scratchAt());
    return scope -> {
      Starts starts = Starts.of(step.node(), places.input(1), places.input(0).rows(scope), scope);
      Task task =
          new Task(
              op,
              places.input(0).blocks(scope),
              places.output().blocks(scope),
              places.scratch(scope),
              zones);
      for (int sequence = 0; sequence < starts.count(); sequence++) {
        for (int head = 0; head < op.heads(); head++) {
          attend(task, head, starts.start(sequence), starts.length(sequence));
        }
      }
    };
  }

  private record Task(
      Op.PackedAttention op, Blocks qkv, Blocks result, float[] scratch, Zones zones) {}

  private void attend(Task task, int head, int start, int length) {
    int size = task.op().headSize();
    int width = task.op().heads() * size;
    int padded = task.zones().padded();
    Side keys =
        Side.of(
            task, width + head * size, task.zones().depth(), start, length, task.zones().keys());
    Side values =
        Side.of(task, 2 * width + head * size, padded, start, length, task.zones().values());
    boolean inPlace = padded == size && Blocks.within(head * size, size);
    int queries = tiles.queries();
    for (int query = 0; query < length; query += queries) {
      int count = Math.min(queries, length - query);
      packQueries(task, head * size, start + query, count);
      Zones zones = task.zones();
      float[] scratch = task.scratch();
      tiles.scores(
          keys.data(),
          keys.at(),
          length,
          scratch,
          zones.queries(),
          count,
          zones.depth(),
          scratch,
          zones.scores());
      lanes.softmax(scratch, zones.scores(), length, count, queries, scratch, zones.inverse());
      float[] target = inPlace ? task.result().data() : scratch;
      int targetAt = inPlace ? task.result().place(start + query, head * size) : zones.result();
      tiles.values(
          scratch,
          zones.scores(),
          count,
          length,
          values.data(),
          values.at(),
          padded,
          target,
          targetAt);
      lanes.scale(target, targetAt, count, padded, scratch, zones.inverse());
      if (!inPlace) {
        scatter(task, head * size, start + query, count);
      }
    }
  }

  /**
   * The keys or values of a head in rows of {@link Blocks#WIDTH}: where they stand, or gathered.
   */
  private record Side(float[] data, int at) {
    static Side of(Task task, int column, int padded, int start, int length, int zone) {
      Blocks qkv = task.qkv();
      int size = task.op().headSize();
      if (padded == size && Blocks.within(column, size)) {
        return new Side(qkv.data(), qkv.place(start, column));
      }
      for (int row = 0; row < length; row++) {
        int at = zone + row * Blocks.WIDTH;
        for (int i = 0; i < size; i++) {
          task.scratch()[at + i] = qkv.data()[qkv.place(start + row, column + i)];
        }
        Arrays.fill(task.scratch(), at + size, at + padded, 0f);
      }
      return new Side(task.scratch(), zone);
    }
  }

  private void packQueries(Task task, int column, int row, int count) {
    Blocks qkv = task.qkv();
    float[] from = qkv.data();
    float[] to = task.scratch();
    float scale = task.op().scale();
    int queries = tiles.queries();
    int packed = task.zones().queries();
    int size = task.op().headSize();
    int depths = task.zones().depth();
    if (count < queries || depths != size) {
      Arrays.fill(to, packed, packed + depths * queries, 0f);
    }
    for (int depth = 0; depth < size; depth++) {
      int source = qkv.place(row, column + depth);
      int target = packed + depth * queries;
      for (int i = 0; i < count; i++) {
        to[target + i] = from[source + i * Blocks.WIDTH] * scale;
      }
    }
  }

  private void scatter(Task task, int column, int row, int count) {
    Blocks result = task.result();
    for (int i = 0; i < count; i++) {
      int from = task.zones().result() + i * Blocks.WIDTH;
      for (int j = 0; j < task.op().headSize(); j++) {
        result.data()[result.place(row + i, column + j)] = task.scratch()[from + j];
      }
    }
  }

  /**
   * Where things stand in scratch, in elements.
   *
   * @param depth size of a head rounded up to an even number
   * @param padded size of a head rounded up to whole vectors
   */
  private record Zones(
      int depth,
      int padded,
      int queries,
      int scores,
      int inverse,
      int keys,
      int values,
      int result,
      long end) {

    static Zones of(Op.PackedAttention op, Tiles tiles, Lanes lanes, int tokens, int at) {
      int size = op.headSize();
      int padded = (size + lanes.lanes() - 1) / lanes.lanes() * lanes.lanes();
      int depth = size + size % 2;
      boolean gathers = padded != size || depth != size || Blocks.WIDTH % size != 0;
      int side = gathers ? tokens * Blocks.WIDTH : 0;
      int queries = at;
      int scores = queries + depth * tiles.queries();
      int inverse = scores + tokens * tiles.queries();
      int keys = inverse + tiles.queries();
      int values = keys + side;
      int result = values + side;
      return new Zones(
          depth,
          padded,
          queries,
          scores,
          inverse,
          keys,
          values,
          result,
          (long) result + (gathers ? tiles.queries() * Blocks.WIDTH : 0));
    }
  }
}
