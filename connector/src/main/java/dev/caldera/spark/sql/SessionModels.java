package dev.caldera.spark.sql;

import dev.caldera.engine.EncoderSettings;
import dev.caldera.model.EncoderDescription;
import dev.caldera.spark.CalderaPlugin;
import dev.caldera.spark.config.CalderaConf;
import dev.caldera.spark.config.ModelEntries;
import dev.caldera.spark.config.NearMiss;
import dev.caldera.spark.executor.ExecutorRuntime;
import dev.caldera.spark.executor.ModelReference;
import dev.caldera.spark.interop.ScalaCollections;
import java.util.Arrays;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;

/** The models that a session knows, on the driver. */
final class SessionModels {
  private final CalderaConf conf;
  private final Configuration hadoop;

  private SessionModels(CalderaConf conf, Configuration hadoop) {
    this.conf = conf;
    this.hadoop = hadoop;
  }

  /**
   * Those of the session that is being served.
   *
   * @throws IllegalArgumentException if a setting is wrong or missing; names it
   */
  static SessionModels current() {
    SparkContext context = SparkContext.getOrCreate();
    SparkConf started = context.conf();
    checkPlugin(started);
    // A view is analysed with the settings that it captured, ours not among them.
    CalderaConf conf = CalderaConf.of(ScalaCollections.map(SparkSession.active().conf().getAll()));
    conf.checkUnchanged(CalderaConf.of(ExecutorRuntime.settings(started)));
    return new SessionModels(conf, context.hadoopConfiguration());
  }

  private static void checkPlugin(SparkConf started) {
    boolean present =
        Arrays.stream(started.get("spark.plugins", "").split(","))
            .anyMatch(name -> name.trim().equals(CalderaPlugin.class.getName()));
    if (!present && !ExecutorRuntime.isLocal(started)) {
      throw new IllegalArgumentException(
          "Cannot call a model: " + ExecutorRuntime.missingPlugin(started));
    }
  }

  /**
   * Finds a model by its configured name, or by a path or URI.
   *
   * @throws IllegalArgumentException if there is none or files are missing; says where it looked
   */
  ModelReference find(String name) {
    Map<String, String> models = conf.models();
    if (models.containsKey(name)) {
      return ModelListing.list(name, models.get(name), ModelEntries.uriKey(name), hadoop);
    }
    if (name.contains("/") || name.contains(":")) {
      return ModelListing.list(name, name, "the query", hadoop);
    }
    throw new IllegalArgumentException(
        "Cannot find model '"
            + name
            + "': "
            + ModelEntries.uriKey(name)
            + " is not set; models by name are "
            + models.keySet()
            + ", and a path must have a '/', such as './"
            + name
            + "'."
            + NearMiss.suggestion(name, models.keySet()));
  }

  /**
   * Checks that the model's small files and the options say together all that is needed.
   *
   * @throws IllegalArgumentException if not; names model and option
   */
  void check(ModelReference model, CallOptions options) {
    EncoderDescription description = ModelDescriptions.of(model, hadoop);
    EncoderSettings.resolve(description, options.encoder());
  }
}
