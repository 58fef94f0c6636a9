package dev.caldera.spark.task;

import dev.caldera.engine.Encoder.Embeddings;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.execution.metric.SQLMetrics;

/** What the Spark UI shows of a model operator; one instance a plan node, added to by tasks. */
public final class InferMetrics implements Serializable {
  private final SQLMetric rows;
  private final SQLMetric texts;
  private final SQLMetric batches;
  private final SQLMetric tokens;
  private final SQLMetric truncated;
  private final SQLMetric loads;
  private final SQLMetric loadTime;
  private final SQLMetric tokenizeTime;
  private final SQLMetric queueTime;
  private final SQLMetric deviceTime;
  private final SQLMetric waitTime;

  private InferMetrics(SparkContext context) {
    rows = SQLMetrics.createMetric(context, "number of output rows");
    texts = SQLMetrics.createMetric(context, "texts sent to the model");
    batches = SQLMetrics.createMetric(context, "batches of rows");
    tokens = SQLMetrics.createMetric(context, "tokens");
    truncated = SQLMetrics.createMetric(context, "texts truncated");
    loads = SQLMetrics.createMetric(context, "model loads");
    loadTime = SQLMetrics.createNanoTimingMetric(context, "model load time", 0);
    tokenizeTime = SQLMetrics.createNanoTimingMetric(context, "time to tokenize", 0);
    queueTime = SQLMetrics.createNanoTimingMetric(context, "time in the engine's queue", 0);
    deviceTime = SQLMetrics.createNanoTimingMetric(context, "device time", 0);
    waitTime = SQLMetrics.createNanoTimingMetric(context, "time tasks waited", 0);
  }

  /** Metrics of a new plan node. */
  public static InferMetrics create(SparkContext context) {
    return new InferMetrics(context);
  }

  /** The metrics by the names under which Spark keeps them. */
  public Map<String, SQLMetric> byName() {
    Map<String, SQLMetric> metrics = new LinkedHashMap<>();
    metrics.put("numOutputRows", rows);
    metrics.put("texts", texts);
    metrics.put("batches", batches);
    metrics.put("tokens", tokens);
    metrics.put("truncated", truncated);
    metrics.put("modelLoads", loads);
    metrics.put("modelLoadTime", loadTime);
    metrics.put("tokenizeTime", tokenizeTime);
    metrics.put("queueTime", queueTime);
    metrics.put("deviceTime", deviceTime);
    metrics.put("waitTime", waitTime);
    return metrics;
  }

  void batch(int rowsOfBatch) {
    rows.add(rowsOfBatch);
    batches.add(1);
  }

  void loaded(long count, long nanos) {
    loads.add(count);
    loadTime.add(nanos);
  }

  void tokenized(int textsOfCall, int tokensOfCall, int truncatedOfCall, long nanos) {
    texts.add(textsOfCall);
    tokens.add(tokensOfCall);
    truncated.add(truncatedOfCall);
    tokenizeTime.add(nanos);
  }

  void computed(Embeddings embeddings) {
    deviceTime.add(embeddings.deviceNanos());
    queueTime.add(embeddings.waitNanos());
  }

  void waited(long nanos) {
    waitTime.add(nanos);
  }
}
