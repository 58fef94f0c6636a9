package dev.caldera.rewrite;

import dev.caldera.graph.Graph;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pipeline of rewrites, run in order.
 *
 * <p>At log level DEBUG each rewrite's count is logged, at TRACE the graph before the first and
 * after each that changed it.
 *
 * @param rewrites in the order they run
 */
public record Rewrites(List<Rewrite> rewrites) {

  private static final Logger LOG = LoggerFactory.getLogger(Rewrites.class);

  public Rewrites {
    rewrites = List.copyOf(rewrites);
  }

  /** A pipeline. */
  public static Rewrites of(Rewrite... rewrites) {
    return new Rewrites(List.of(rewrites));
  }

  /** What makes fused ops of a padded graph's primitive ones. */
  public static Rewrites fuse() {
    return of(
        new FoldConstants(),
        new DequantizeWeights(),
        new RemoveNoOps(),
        new FuseLayerNorm(),
        new FuseGelu(),
        new FuseAttention(),
        new FuseLinear(),
        new FuseAddLayerNorm(),
        new DeadCode());
  }

  /** What packs the sequences of a fused graph, and fuses what then stands side by side. */
  public static Rewrites pack() {
    return of(new PackSequences(), new FuseQkv(), new FuseEmbedding(), new DeadCode());
  }

  /** The graph after all rewrites. */
  public Graph run(Graph graph) {
    LOG.trace("Before all rewrites:\n{}", graph.describe());
    Graph current = graph;
    for (Rewrite rewrite : rewrites) {
      Rewrite.Result result = rewrite.apply(current);
      LOG.debug("{}: {}: {} times", graph.name(), rewrite.name(), result.count());
      if (result.count() > 0) {
        current = result.graph();
        LOG.trace("After {}:\n{}", rewrite.name(), current.describe());
      }
    }
    return current;
  }
}
