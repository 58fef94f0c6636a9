package dev.caldera.spark;

import dev.caldera.spark.config.CalderaConf;
import dev.caldera.spark.executor.ExecutorRuntime;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.ExecutorPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.apache.spark.api.plugin.SparkPlugin;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a device and an engine on each executor: {@code
 * spark.plugins=dev.caldera.spark.CalderaPlugin}.
 *
 * <p>On the driver it checks the settings and adds {@link CalderaExtensions} to {@code
 * spark.sql.extensions}. On an executor it opens the device when the executor starts, tells the
 * driver which and why, and closes it when the executor stops. In local mode a device that cannot
 * be opened stops the start; on a cluster it fails the tasks that need it, with the reason, so that
 * the cluster manager does not restart executors for ever.
 */
public final class CalderaPlugin implements SparkPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(CalderaPlugin.class);
  private static final String EXTENSIONS = "spark.sql.extensions";

  @Override
  public DriverPlugin driverPlugin() {
    return new Driver();
  }

  @Override
  public ExecutorPlugin executorPlugin() {
    return new Executor();
  }

  /** Adds {@link CalderaExtensions} to the session's extensions unless they are there. */
  static void addExtensions(SparkConf conf) {
    String extensions = conf.get(EXTENSIONS, "");
    String ours = CalderaExtensions.class.getName();
    if (Arrays.stream(extensions.split(",")).noneMatch(name -> name.trim().equals(ours))) {
      conf.set(EXTENSIONS, extensions.isBlank() ? ours : extensions + "," + ours);
    }
  }

  private static final class Driver implements DriverPlugin {
    @Override
    public Map<String, String> init(SparkContext context, PluginContext plugin) {
      CalderaConf.of(ExecutorRuntime.settings(context.conf()));
      addExtensions(context.conf());
      return Map.of();
    }

    /** Executors tell and ask nothing: there is no reply. */
    @Override
    public @Nullable Object receive(Object message) {
      LOG.info("{}", message);
      return null;
    }
  }

  private static final class Executor implements ExecutorPlugin {
    @Override
    public void init(PluginContext context, Map<String, String> fromDriver) {
      try {
        ExecutorRuntime.open(context.conf());
      } catch (RuntimeException e) {
        if (ExecutorRuntime.isLocal(context.conf())) {
          throw e;
        }
        LOG.error("Caldera cannot serve on this executor; tasks that need it will fail", e);
        tell(context, "cannot serve: " + e.getMessage());
        return;
      }
      tell(context, "computes on " + ExecutorRuntime.current().description());
    }

    private static void tell(PluginContext context, String what) {
      String message = "Caldera on executor " + context.executorID() + " " + what;
      try {
        context.send(message);
      } catch (IOException | IllegalStateException e) {
        LOG.warn("Cannot tell the driver: {}", message, e);
      }
    }

    @Override
    public void shutdown() {
      ExecutorRuntime.close();
    }
  }
}
