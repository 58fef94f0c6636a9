package dev.caldera.spark.it;

import dev.caldera.spark.executor.ExecutorRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A user's job: embeds texts in 200 partitions, then asks every executor how often a model was
 * uploaded to its device. Prints a line for each finding.
 */
public final class EmbedJob {
  private static final int PARTITIONS = 200;
  private static final int TEXTS = 400;
  private static final int PROBES = 16;

  private EmbedJob() {}

  /** Runs it; the argument is the number of executors to wait for. */
  public static void main(String[] arguments) {
    int executors = Integer.parseInt(arguments[0]);
    SparkSession session = SparkSession.builder().appName("embed").getOrCreate();
    try (JavaSparkContext context = new JavaSparkContext(session.sparkContext())) {
      waitFor(session, executors);
      List<Row> rows =
          session
              .range(0, TEXTS, 1, PARTITIONS)
              .selectExpr("ai_embed('minilm', concat('text number ', id)) AS v")
              .selectExpr("size(v)", "aggregate(v, 0D, (a, x) -> a + x * x)")
              .collectAsList();
      System.out.println("ROWS " + rows.size());
      System.out.println("WIDTH " + rows.get(0).getInt(0));
      double worst =
          rows.stream().mapToDouble(row -> Math.abs(row.getDouble(1) - 1)).max().orElse(1);
      System.out.println("NORMALIZED " + (worst < 1e-4));
      List<Integer> probes = new ArrayList<>();
      for (int i = 0; i < PROBES; i++) {
        probes.add(i);
      }
      context
          .parallelize(probes, PROBES)
          .map(probe -> uploads())
          .distinct()
          .collect()
          .forEach(line -> System.out.println("UPLOADS " + line));
    }
  }

  private static void waitFor(SparkSession session, int executors) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (session.sparkContext().getExecutorMemoryStatus().size() < executors
        && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
  }

  /** Slow enough that every executor takes some. */
  private static String uploads() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
    return SparkEnv.get().executorId() + " " + ExecutorRuntime.current().uploads();
  }
}
