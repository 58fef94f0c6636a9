package dev.caldera.spark.bench;

import dev.caldera.backend.Device;
import dev.caldera.backend.DeviceOptions;
import dev.caldera.backend.Devices;
import dev.caldera.engine.Encoder;
import dev.caldera.engine.Encoder.Embeddings;
import dev.caldera.engine.EncoderOptions;
import dev.caldera.engine.Engine;
import dev.caldera.engine.EngineOptions;
import dev.caldera.model.ModelFolder;
import dev.caldera.spark.CalderaPlugin;
import dev.caldera.spark.ModelFolders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Rows a second of {@code SELECT ai_embed(...)} in local mode and of the engine alone, in turns, on
 * the CPU backend with the same threads: tokenisation, vectors and their way back on both sides.
 *
 * <p>Texts are the lines of a file, or the reviews of the example, each said in several ways.
 *
 * <pre>{@code
 * mvn -q -B -pl connector -am test-compile dependency:build-classpath \
 *     -Dmdep.outputFile=target/bench.classpath -Dmdep.includeScope=test
 * cd connector && java --add-modules jdk.incubator.vector -Xmx2g \
 *     --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.nio=ALL-UNNAMED \
 *     --add-opens=java.base/java.util=ALL-UNNAMED --add-opens=java.base/sun.nio.ch=ALL-UNNAMED \
 *     --add-opens=java.base/java.lang.invoke=ALL-UNNAMED \
 *     -cp target/classes:target/test-classes:$(cat target/bench.classpath) \
 *     dev.caldera.spark.bench.SqlBenchmark 20000 2 [file of texts, one a line]
 * }</pre>
 */
public final class SqlBenchmark {
  private static final int BATCH = 512;
  private static final int TURNS = 3;
  private static final String[] OPENINGS = {
    "",
    "As I said before: ",
    "To be fair, ",
    "My neighbour tells me that ",
    "Update: ",
    "In short, "
  };

  private SqlBenchmark() {}

  /** Runs it: rows, threads, and a file of texts. */
  public static void main(String[] arguments) throws Exception {
    int rows = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20_000;
    int threads = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 2;
    SparkSession session =
        SparkSession.builder()
            .master("local[" + threads + "]")
            .config("spark.plugins", CalderaPlugin.class.getName())
            .config("spark.caldera.device", "cpu")
            .config("spark.caldera.threads", threads)
            .config("spark.caldera.model.minilm.uri", ModelFolders.miniLm().toString())
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .getOrCreate();
    List<String> texts = texts(session, rows, arguments.length > 2 ? arguments[2] : "");
    String parquet = Files.createTempDirectory("caldera-benchmark-").resolve("texts").toString();
    session
        .createDataset(texts, Encoders.STRING())
        .toDF("text")
        .repartition(4 * threads)
        .write()
        .parquet(parquet);
    session.read().parquet(parquet).createOrReplaceTempView("texts");
    try (Device device =
            Devices.discover()
                .select("cpu")
                .open(new DeviceOptions(threads, Optional.empty(), false));
        Engine engine = Engine.open(device, EngineOptions.defaults());
        Encoder encoder =
            engine.encoder(ModelFolder.open(ModelFolders.miniLm()), EncoderOptions.defaults())) {
      compare(session, encoder, texts, threads);
    }
    session.stop();
  }

  private static void compare(
      SparkSession session, Encoder encoder, List<String> texts, int threads) throws Exception {
    engine(encoder, texts.subList(0, texts.size() / 10), threads);
    sql(session, texts.size());
    List<Double> engine = new ArrayList<>();
    List<Double> sql = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    for (int turn = 0; turn < TURNS; turn++) {
      engine.add(engine(encoder, texts, threads));
      sql.add(sql(session, texts.size()));
      ratios.add(sql.get(turn) / engine.get(turn));
      System.out.printf(
          "turn %d: engine %.1f rows/s, SQL %.1f rows/s, SQL / engine %.3f%n",
          turn, engine.get(turn), sql.get(turn), ratios.get(turn));
    }
    System.out.printf(
        "%d rows, %d threads, medians: engine %.1f rows/s, SQL %.1f rows/s, SQL / engine %.3f%n",
        texts.size(), threads, median(engine), median(sql), median(ratios));
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  private static List<String> texts(SparkSession session, int rows, String file) throws Exception {
    List<String> lines =
        file.isEmpty()
            ? session
                .read()
                .option("header", "true")
                .option("multiLine", "true")
                .option("escape", "\"")
                .csv("../examples/embed-reviews/reviews.csv")
                .filter("text IS NOT NULL")
                .select("text")
                .as(Encoders.STRING())
                .collectAsList()
            : Files.readAllLines(Path.of(file));
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      String opening = i < lines.size() ? "" : OPENINGS[i / lines.size() % OPENINGS.length];
      texts.add(opening + lines.get(i % lines.size()));
    }
    return texts;
  }

  /** As tasks do: a thread each, one request under way while the next is tokenised. */
  private static double engine(Encoder encoder, List<String> texts, int threads) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    long start = System.nanoTime();
    try {
      List<Callable<Integer>> shares = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int from = i * texts.size() / threads;
        int to = (i + 1) * texts.size() / threads;
        shares.add(() -> embed(encoder, texts.subList(from, to)));
      }
      int done = 0;
      for (Future<Integer> share : pool.invokeAll(shares)) {
        done += share.get();
      }
      return done / ((System.nanoTime() - start) * 1e-9);
    } finally {
      pool.shutdownNow();
    }
  }

  private static int embed(Encoder encoder, List<String> texts) throws Exception {
    int done = 0;
    CompletableFuture<Embeddings> underWay = null;
    for (int i = 0; i < texts.size(); i += BATCH) {
      var tokens = encoder.tokenize(texts.subList(i, Math.min(texts.size(), i + BATCH)));
      if (underWay != null) {
        done += rows(underWay.get());
      }
      underWay = encoder.embed(tokens);
    }
    return underWay == null ? done : done + rows(underWay.get());
  }

  private static int rows(Embeddings vectors) {
    return vectors.values().length / vectors.width();
  }

  private static double sql(SparkSession session, int rows) {
    long start = System.nanoTime();
    Row sum =
        session
            .sql(
                "SELECT count(v), sum(size(v)) FROM (SELECT ai_embed('minilm', text) v FROM texts)")
            .collectAsList()
            .get(0);
    double seconds = (System.nanoTime() - start) * 1e-9;
    if (sum.getLong(0) != rows) {
      throw new IllegalStateException(
          "Cannot compare: " + sum.getLong(0) + " of " + rows + " rows");
    }
    return rows / seconds;
  }
}
