package dev.caldera.backend.cpu;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses how this JVM computes, once: the Vector API where its module is there and a timed tile
 * shows that its operations become vector instructions, else plain loops.
 *
 * <p>The API runs a hundredfold slower, without a word, where the JVM does not compile it: in the
 * interpreter or the first compiler only, with {@code -XX:-EnableVectorSupport}, or on processors
 * without fused multiply-add. So it is tried for a bounded time.
 */
final class ComputeChoice {
  private static final Logger LOG = LoggerFactory.getLogger(ComputeChoice.class);
  private static final String MODULE = "jdk.incubator.vector";

  /** Gigaflops that compiled vectors of any width surpass, and nothing else reaches. */
  private static final double ENOUGH = 8;

  /**
   * Processor time of the longest trial; compiled code comes after some tenths of a second. It is
   * the trying thread's own time, so that a busy machine, where the compiler waits as often as this
   * thread does, does not look like a slow one.
   */
  private static final long TRIAL_NANOS = 3_000_000_000L;

  private ComputeChoice() {}

  /** The choice; made and logged at the first call. */
  static Compute chosen() {
    return Holder.CHOSEN;
  }

  private static final class Holder {
    static final Compute CHOSEN = choose();

    private static Compute choose() {
      Compute compute = decide();
      if (compute.tiles() instanceof PlainTiles) {
        LOG.warn(
            "CPU kernels: {}, at a third of the speed or less, {}",
            compute.name(),
            compute.reason());
      } else {
        LOG.info("CPU kernels: {}", compute.name());
      }
      return compute;
    }
  }

  private static Compute decide() {
    if (ModuleLayer.boot().findModule(MODULE).isEmpty()) {
      return Compute.plain(
          "because the JVM runs without the Vector API: add --add-modules "
              + MODULE
              + " to its options");
    }
    try {
      Compute vector = vector();
      double speed = speed(vector.tiles());
      if (speed >= ENOUGH) {
        return vector;
      }
      return Compute.plain(
          String.format(
              "because the Vector API made %.2f GFLOP/s in a trial of %d s, where %.0f are expected:"
                  + " let the JVM use its second compiler (no -Xint, -XX:TieredStopAtLevel or"
                  + " -XX:-EnableVectorSupport) on a processor with fused multiply-add",
              speed, TRIAL_NANOS / 1_000_000_000L, ENOUGH));
    } catch (ReflectiveOperationException | LinkageError | UnsupportedOperationException e) {
      return Compute.plain("because the Vector API of this JVM cannot be used: " + e);
    }
  }

  /** The Vector API's compute; its classes are loaded here and nowhere else. */
  @SuppressWarnings("unchecked")
  private static Compute vector() throws ReflectiveOperationException {
    Class<?> maker =
        Class.forName(
            ComputeChoice.class.getPackageName() + ".VectorCompute",
            true,
            ComputeChoice.class.getClassLoader());
    return ((Supplier<Compute>) maker.getDeclaredConstructor().newInstance()).get();
  }

  /** Gigaflops of a strip; stops at the first piece that is fast enough. */
  private static double speed(Tiles tiles) {
    int width = Blocks.WIDTH;
    float[] a = new float[Tiles.STRIP * width];
    float[] b = new float[width * width];
    float[] c = new float[Tiles.STRIP * width];
    double flops = 2.0 * Tiles.STRIP * width * width;
    double best = 0;
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long end = threads.getCurrentThreadCpuTime() + TRIAL_NANOS;
    while (best < ENOUGH && threads.getCurrentThreadCpuTime() < end) {
      long start = System.nanoTime();
      tiles.accumulate(a, 0, b, 0, width * tiles.panel(), c, 0, Tiles.STRIP, width, width);
      best = Math.max(best, flops / (System.nanoTime() - start));
    }
    return best;
  }
}
