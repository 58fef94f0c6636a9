package dev.caldera.spark.executor;

import dev.caldera.spark.config.CalderaConf;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * The {@link CalderaRuntime} of this process.
 *
 * <p>With the plugin it is opened when the executor starts and closed when it stops. In local mode
 * without the plugin it is opened by the first task and closed with the Spark context.
 */
public final class ExecutorRuntime {
  private static @Nullable CalderaRuntime current;
  private static @Nullable RuntimeException failure;

  private ExecutorRuntime() {}

  /**
   * Opens the runtime of this process.
   *
   * @throws IllegalArgumentException if a setting is wrong or no device fits; later calls of {@link
   *     #current()} say the same
   */
  public static synchronized CalderaRuntime open(SparkConf spark) {
    close();
    try {
      CalderaRuntime opened =
          CalderaRuntime.open(
              CalderaConf.of(settings(spark)), SparkHadoopUtil.get().newConfiguration(spark));
      current = opened;
      return opened;
    } catch (RuntimeException e) {
      failure = e;
      throw e;
    }
  }

  /**
   * The runtime of this process.
   *
   * @throws IllegalStateException if it could not be opened, or was not because the plugin is
   *     missing; says why
   */
  public static synchronized CalderaRuntime current() {
    if (current != null) {
      return current;
    }
    if (failure != null) {
      throw new IllegalStateException(
          "Cannot use Caldera on this executor: " + failure.getMessage(), failure);
    }
    SparkConf spark = SparkEnv.get().conf();
    if (!isLocal(spark)) {
      throw new IllegalStateException(
          "Cannot use Caldera on this executor: " + missingPlugin(spark));
    }
    CalderaRuntime opened = open(spark);
    SparkContext.getOrCreate().addSparkListener(new CloseWithApplication());
    return opened;
  }

  /** Puts a runtime in place of the current one, which is closed. */
  static synchronized void use(CalderaRuntime runtime) {
    close();
    current = runtime;
  }

  /** Closes the runtime of this process; does nothing if there is none. */
  public static synchronized void close() {
    CalderaRuntime closing = current;
    current = null;
    failure = null;
    if (closing != null) {
      closing.close();
    }
  }

  /** Whether executors run in the driver's process. */
  public static boolean isLocal(SparkConf spark) {
    String master = spark.get("spark.master", "");
    return master.equals("local") || master.startsWith("local[");
  }

  /** What to tell a user whose executors have no plugin. */
  public static String missingPlugin(SparkConf spark) {
    return "spark.plugins is '"
        + spark.get("spark.plugins", "")
        + "' and master is "
        + spark.get("spark.master", "")
        + "; set spark.plugins=dev.caldera.spark.CalderaPlugin when Spark starts";
  }

  /** All settings of a Spark configuration. */
  public static Map<String, String> settings(SparkConf spark) {
    Map<String, String> settings = new HashMap<>();
    for (Tuple2<String, String> entry : spark.getAll()) {
      settings.put(entry._1(), entry._2());
    }
    return settings;
  }

  private static final class CloseWithApplication extends SparkListener {
    @Override
    public void onApplicationEnd(SparkListenerApplicationEnd end) {
      close();
    }
  }
}
