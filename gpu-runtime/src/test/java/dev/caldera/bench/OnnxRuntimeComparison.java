package dev.caldera.bench;

import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceOptions;
import dev.caldera.backend.Devices;
import dev.caldera.engine.Encoder;
import dev.caldera.engine.EncoderOptions;
import dev.caldera.engine.Engine;
import dev.caldera.engine.EngineOptions;
import dev.caldera.model.ModelFolder;
import dev.caldera.testing.MiniLm;
import dev.caldera.text.TokenBatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;

/**
 * The CPU backend against ONNX Runtime for Java, in one process and with equal threads: MiniLM on
 * texts of a file, from text to vector on both sides, by the same tokenizer.
 *
 * <pre>{@code
 * mvn -q -B -pl gpu-runtime -am test-compile dependency:build-classpath \
 *     -Dmdep.outputFile=target/bench.classpath -Dmdep.includeScope=test
 * cd gpu-runtime && java --add-modules jdk.incubator.vector -Xmx2g \
 *     -cp target/classes:target/test-classes:$(cat target/bench.classpath) \
 *     dev.caldera.bench.OnnxRuntimeComparison <file of texts, one a line> <threads> [rounds]
 * }</pre>
 *
 * <p>A machine has faster and slower minutes, so both sides take turns over short pieces, and
 * figures are medians of ratios. Two comparisons:
 *
 * <ul>
 *   <li><em>given order</em>: ONNX Runtime's ordinary use, batches of 32 texts as they come,
 *       padded;
 *   <li><em>sorted</em>: its best use. All 2,000 texts are sorted by length once; a piece is made
 *       of runs of 32 neighbours from short to long, cut into batches of 1, 4, 8, 16 or 32. The
 *       engine gets the same texts shuffled. The best batch size is taken twice: as the least
 *       median, and as the luckiest of each round.
 * </ul>
 */
public final class OnnxRuntimeComparison {
  private static final int TEXTS = 2000;
  private static final int RUN = 32;
  private static final int RUNS = 4;
  private static final int[] SIZES = {1, 4, 8, 16, 32};

  private final Encoder encoder;
  private final OnnxRuntimeBatches runtime;
  private final Random random = new Random(7);

  private OnnxRuntimeComparison(Encoder encoder, OnnxRuntimeBatches runtime) {
    this.encoder = encoder;
    this.runtime = runtime;
  }

  /** Arguments: file of texts, threads, rounds. */
  public static void main(String[] arguments) throws Exception {
    List<String> texts =
        Files.readAllLines(Path.of(arguments[0])).stream()
            .filter(text -> !text.isBlank())
            .limit(TEXTS)
            .toList();
    int threads = Integer.parseInt(arguments[1]);
    int rounds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 8;
    try (Device device =
            Devices.discover()
                .select("cpu")
                .open(new DeviceOptions(threads, Optional.empty(), false));
        Engine engine = Engine.open(device, EngineOptions.defaults());
        Encoder encoder =
            engine.encoder(ModelFolder.open(MiniLm.folder()), EncoderOptions.defaults());
        OnnxRuntimeBatches runtime = new OnnxRuntimeBatches(MiniLm.onnx(), threads)) {
      new OnnxRuntimeComparison(encoder, runtime).run(texts, threads, rounds);
    }
  }

  private void run(List<String> texts, int threads, int rounds) throws Exception {
    device(threads, texts.size());
    List<String> sorted = sort(texts);
    warmUp(texts);
    check(texts.subList(0, RUN));
    double[][] ratios = new double[SIZES.length][rounds];
    double[] luckiest = new double[rounds];
    double[] given = new double[rounds];
    double[] speeds = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      List<String> piece = neighbours(sorted);
      List<String> shuffled = new ArrayList<>(piece);
      Collections.shuffle(shuffled, random);
      double[] theirs = new double[SIZES.length];
      double ours = engineSeconds(shuffled);
      for (int i = 0; i < SIZES.length; i++) {
        theirs[i] = runtimeSeconds(piece, SIZES[i], true);
        ours += engineSeconds(shuffled);
      }
      ours /= SIZES.length + 1;
      speeds[round] = piece.size() / ours;
      for (int i = 0; i < SIZES.length; i++) {
        ratios[i][round] = theirs[i] / ours;
      }
      luckiest[round] = Arrays.stream(theirs).min().orElseThrow() / ours;
      given[round] = givenOrder(texts);
    }
    report(ratios, luckiest, given, speeds);
  }

  private static void device(int threads, int texts) {
    System.out.printf(
        Locale.ROOT,
        "Java %s, %d threads, %d texts; time of ONNX Runtime over the engine's: median"
            + " [quartiles]%n",
        System.getProperty("java.version"),
        threads,
        texts);
  }

  /** The texts by number of tokens. */
  private List<String> sort(List<String> texts) {
    TokenBatch tokens = encoder.tokenize(texts);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      order.add(i);
    }
    order.sort(Comparator.comparingInt(i -> OnnxRuntimeBatches.length(tokens, i)));
    return order.stream().map(texts::get).toList();
  }

  private void warmUp(List<String> texts) throws Exception {
    long end = System.nanoTime() + 5_000_000_000L;
    while (System.nanoTime() < end) {
      engineSeconds(texts.subList(0, Math.min(texts.size(), 200)));
    }
    runtimeSeconds(texts.subList(0, RUN), 8, true);
  }

  /** Both sides must give the same vectors. */
  private void check(List<String> texts) throws Exception {
    TokenBatch tokens = encoder.tokenize(texts);
    float[] ours = encoder.embed(tokens).get().values();
    float[][] theirs = runtime.embed(tokens, order(tokens, true), 8);
    for (int text = 0; text < theirs.length; text++) {
      double cosine = 0;
      for (int i = 0; i < encoder.width(); i++) {
        cosine += (double) ours[text * encoder.width() + i] * theirs[text][i];
      }
      if (!(cosine > 0.99999)) {
        throw new IllegalStateException("Cannot compare: cosine of text " + text + " is " + cosine);
      }
    }
  }

  /** Runs of neighbours, spread from short to long. */
  private List<String> neighbours(List<String> sorted) {
    List<String> piece = new ArrayList<>();
    int runs = sorted.size() / RUN;
    for (int i = 0; i < RUNS; i++) {
      int run = i * runs / RUNS + random.nextInt(runs / RUNS);
      piece.addAll(sorted.subList(run * RUN, (run + 1) * RUN));
    }
    return piece;
  }

  /** Ratio over two batches of 32 in given order; the engine before and after. */
  private double givenOrder(List<String> texts) throws Exception {
    int at = random.nextInt(texts.size() / RUN - 1) * RUN;
    List<String> piece = texts.subList(at, at + 2 * RUN);
    double ours = engineSeconds(piece) + engineSeconds(piece);
    double theirs = runtimeSeconds(piece, RUN, false);
    ours += engineSeconds(piece) + engineSeconds(piece);
    return theirs / (ours / 4);
  }

  private double engineSeconds(List<String> texts) throws Exception {
    long start = System.nanoTime();
    encoder.embed(encoder.tokenize(texts)).get();
    return (System.nanoTime() - start) / 1e9;
  }

  private double runtimeSeconds(List<String> texts, int size, boolean sorted) throws Exception {
    long start = System.nanoTime();
    TokenBatch tokens = encoder.tokenize(texts);
    runtime.embed(tokens, order(tokens, sorted), size);
    return (System.nanoTime() - start) / 1e9;
  }

  private static int[] order(TokenBatch tokens, boolean sorted) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < tokens.texts(); i++) {
      order.add(i);
    }
    if (sorted) {
      order.sort(Comparator.comparingInt(i -> OnnxRuntimeBatches.length(tokens, i)));
    }
    return order.stream().mapToInt(Integer::intValue).toArray();
  }

  private static void report(
      double[][] ratios, double[] luckiest, double[] given, double[] speeds) {
    double best = Double.POSITIVE_INFINITY;
    for (int i = 0; i < SIZES.length; i++) {
      System.out.printf("sorted, batches of %2d   %s%n", SIZES[i], quartiles(ratios[i]));
      best = Math.min(best, quantile(ratios[i], 0.5));
    }
    System.out.printf(Locale.ROOT, "sorted, best size       %.2f%n", best);
    System.out.printf("sorted, luckiest size   %s%n", quartiles(luckiest));
    System.out.printf("given order, padded 32  %s%n", quartiles(given));
    System.out.printf("engine, texts a second  %s%n", quartiles(speeds));
  }

  private static String quartiles(double[] values) {
    return String.format(
        Locale.ROOT,
        "%.2f [%.2f..%.2f]",
        quantile(values, 0.5),
        quantile(values, 0.25),
        quantile(values, 0.75));
  }

  private static double quantile(double[] values, double share) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.min(sorted.length - 1, share * sorted.length)];
  }
}
